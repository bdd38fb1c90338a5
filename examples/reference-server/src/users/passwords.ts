import { createPasswordHasher, type PasswordHasher } from '@sallyport/auth/password'

/**
 * 128 characters: NFC expands one character of four bytes to at most three, such as U+1D160.
 *
 * @see https://www.unicode.org/faq/normalization.html#12
 */
const maxBytes = 128 * 3 * 4

/** Creates a hasher that normalizes passwords to NFC, because keyboards compose characters differently. */
export function createPasswords(): PasswordHasher {
  const hasher = createPasswordHasher({ maxBytes })
  return {
    hash: (password) => hasher.hash(password.normalize('NFC')),
    verify: (stored, password) => hasher.verify(stored, password.normalize('NFC')),
  }
}
