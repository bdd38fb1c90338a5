import type { PasswordHasher } from '@sallyport/auth/password'
import { createConcurrencyLimit } from '../database/concurrency-limit.ts'

/** New passwords that may wait; more arrive only in an attack. */
const maxWaiting = 64

/**
 * Hashes new passwords one at a time, because logins share the hasher and its queue.
 * @throws SallyportError from the returned function: the errors of the hasher, and 503 `OVERLOADED` with `Retry-After` when
 * 64 passwords wait or one has waited for five seconds
 */
export function createSequentialHash({ hash }: Pick<PasswordHasher, 'hash'>): PasswordHasher['hash'] {
  const message = 'Too many new passwords at once; try again'
  const run = createConcurrencyLimit({ maxRunning: 1, maxWaiting, message })
  return (password) => run(() => hash(password))
}
