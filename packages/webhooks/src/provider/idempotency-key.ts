/** Longer keys are hashed: engines bound the length of a message id. */
const maximumLength = 255

/**
 * The idempotency key of an event: `<provider>:<kind>:<part>:<part>…`.
 *
 * Parts are escaped, so that no two lists of texts give one key, and so that it is visible ASCII wherever it travels.
 */
export function idempotencyKey(provider: string, kind: string, parts: readonly (string | number)[]): string {
  return [provider, kind, ...parts.map((part) => escapePart(String(part)))].join(':')
}

/** Whether a key may travel as it is. */
export const isPortable = (key: string): boolean => key.length <= maximumLength

function escapePart(part: string): string {
  return part.replace(/[^!-9;-~]|%/gu, (character) =>
    character.isWellFormed() ? encodeURIComponent(character) : `%u${character.charCodeAt(0).toString(16)}`,
  )
}
