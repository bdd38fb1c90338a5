/** The option's value, or a `TypeError` that names it: a wrong option is a mistake of the program, not of a caller. */
export function integerOption(
  name: string,
  value: number,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  throw new TypeError(`${name} must be an integer ${range}`)
}

/** The option's text, or a `TypeError` that names it when it is empty or no text. */
export function textOption(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw new TypeError(`${name} must be a non-empty string`)
}

/**
 * The option's list of texts, or a `TypeError` that names it. A single text is no list: its `includes` would find any
 * part of it.
 */
export function textsOption(name: string, value: unknown): readonly string[] {
  const isTexts = Array.isArray(value) && value.every((text) => typeof text === 'string' && text !== '')
  if (isTexts) return value as readonly string[]
  throw new TypeError(`${name} must be an array of non-empty strings`)
}

/** The fewest bytes of a secret that an HMAC with SHA-256 is keyed with (RFC 7518, section 3.2). */
const minSecretBytes = 32

/**
 * The bytes of a secret that is long enough, or a `TypeError` that never shows it.
 *
 * Text counts as its UTF-8 bytes.
 */
export function secretOption(name: string, secret: string | Uint8Array): Uint8Array {
  // A PEM file taken for a shared secret would make a public key a signing key.
  if (typeof secret === 'string' && secret.trimStart().startsWith('-----BEGIN')) {
    throw new TypeError(`${name} is a PEM key, not a shared secret: pass it as privateKey or publicKey`)
  }
  const bytes = typeof secret === 'string' ? Buffer.from(secret, 'utf8') : secret
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`${name} must be a string or a Uint8Array`)
  if (bytes.byteLength < minSecretBytes) {
    throw new TypeError(
      `${name} has ${bytes.byteLength} bytes; it needs at least ${minSecretBytes} random ones`,
    )
  }
  return bytes
}
