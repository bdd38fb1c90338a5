import { createPasswordHasher, type PasswordHasher } from '@sallyport/auth/password'
import { createSemaphore } from '@sallyport/internal/semaphore'
import { createOverloadedError } from './overloaded.ts'

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

/** New passwords that may wait; more arrive only in an attack. */
const maxWaiting = 64

/**
 * Hashes new passwords one at a time, because logins share the hasher and its queue.
 * @throws SallyportError from the returned function: the errors of the hasher, and 503 `OVERLOADED` with `Retry-After` when
 * 64 passwords wait or one has waited for five seconds
 */
export function createSequentialHash({ hash }: Pick<PasswordHasher, 'hash'>): PasswordHasher['hash'] {
  const { run } = createSemaphore({
    limit: 1,
    maxWaiting,
    waitTimeoutMs: 5000,
    onOverload: () => createOverloadedError('Too many new passwords at once; try again'),
  })
  return (password) => run(() => hash(password))
}
