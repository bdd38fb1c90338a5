const decoder = new TextDecoder('utf-8', { fatal: true })

/** What a secret that is no text is reported as, behind where it is from. */
export const notText = 'is not text in UTF-8: use text, such as what "openssl rand -hex 32" prints'

/**
 * A secret as text. Random bytes are refused: most would become one and the same character, and the secret be a few of
 * them.
 *
 * @throws Error with the code `NOT_UTF8`
 */
export function secretText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw Object.assign(new Error(`The secret ${notText}`), { code: 'NOT_UTF8' })
  }
}

export const isNotText = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'NOT_UTF8'
