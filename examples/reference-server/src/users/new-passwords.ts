import type { PasswordHasher } from '@sallyport/auth/password'
import { createPlaces } from '../places.ts'

/** More than come at once to one server that is not under attack. */
const maxWaiting = 64

/**
 * Hashes new passwords one at a time, in their order. Logins share the hasher and its queue, and whoever sets passwords
 * in masses must leave both to them.
 *
 * @throws SallyportError from what is returned, as the hasher does, and 503 `OVERLOADED` with `Retry-After` when 64 wait, or
 * one has waited for five seconds
 */
export function hashOneByOne({ hash }: Pick<PasswordHasher, 'hash'>): PasswordHasher['hash'] {
  const message = 'Too many passwords are being set; try again in a moment'
  const inTurn = createPlaces({ atOnce: 1, maxWaiting, message })
  return (password) => inTurn(() => hash(password))
}
