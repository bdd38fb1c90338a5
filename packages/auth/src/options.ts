/** Returns the text of an option, or throws a TypeError for an empty text or another type. */
export function textOption(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw new TypeError(`${name} must be a non-empty string`)
}

/**
 * Returns the list of an option, or throws a TypeError. A string is not a list: its `includes` would match substrings.
 */
export function textsOption(name: string, value: unknown): readonly string[] {
  const isTexts = Array.isArray(value) && value.every((text) => typeof text === 'string' && text !== '')
  if (isTexts) return value as readonly string[]
  throw new TypeError(`${name} must be an array of non-empty strings`)
}

/** The minimum length of an HMAC-SHA-256 secret (RFC 7518, section 3.2). */
const minSecretBytes = 32

/**
 * Returns the bytes of a secret, or throws a TypeError that does not show the secret.
 *
 * Text counts as its UTF-8 bytes.
 */
export function secretOption(name: string, secret: string | Uint8Array): Uint8Array {
  // With a PEM file as a shared secret, the public key would sign tokens.
  if (typeof secret === 'string' && secret.trimStart().startsWith('-----BEGIN')) {
    throw new TypeError(`${name} is a PEM key, not a shared secret: pass it as privateKey or publicKey`)
  }
  const bytes = typeof secret === 'string' ? Buffer.from(secret, 'utf8') : secret
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`${name} must be a string or a Uint8Array`)
  if (bytes.byteLength === 0)
    throw new TypeError(`${name} is empty: set it to ${minSecretBytes} random bytes or more`)
  if (bytes.byteLength < minSecretBytes) {
    throw new TypeError(
      `${name} has ${bytes.byteLength} bytes; it needs at least ${minSecretBytes} random ones`,
    )
  }
  return bytes
}
