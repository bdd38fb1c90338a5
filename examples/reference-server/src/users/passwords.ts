import { createPasswordHasher, type PasswordHasher } from '@sallyport/auth/password'

/**
 * 128 characters: NFC makes one of four bytes into at most three of four, as it does of U+1D160.
 *
 * @see https://www.unicode.org/faq/normalization.html#12
 */
const maxBytes = 128 * 3 * 4

/** Passwords of users, whichever way their characters are composed on the keyboard that they are typed on. */
export function createPasswords(): PasswordHasher {
  const hasher = createPasswordHasher({ maxBytes })
  return {
    hash: (password) => hasher.hash(password.normalize('NFC')),
    verify: (stored, password) => hasher.verify(stored, password.normalize('NFC')),
  }
}
