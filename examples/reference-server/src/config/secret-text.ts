const decoder = new TextDecoder('utf-8', { fatal: true })

/** The end of the message for a secret that is not UTF-8 text. */
export const notText = 'is not text in UTF-8: use text, such as the output of "openssl rand -hex 32"'

/**
 * Decodes a secret as UTF-8. Random bytes are rejected: most invalid bytes would become the same replacement character.
 *
 * @throws Error with the code `NOT_UTF8`
 */
export function decodeSecret(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw Object.assign(new Error(`The secret ${notText}`), { code: 'NOT_UTF8' })
  }
}

export const isNotText = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'NOT_UTF8'
