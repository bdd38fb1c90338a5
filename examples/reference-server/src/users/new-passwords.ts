import type { PasswordHasher } from '@sallyport/auth/password'
import { SallyportError } from '@sallyport/errors'

/** More than come at once to one server that is not under attack. */
const maxWaiting = 64

/**
 * Hashes new passwords one at a time, in their order. Logins share the hasher and its queue, and whoever sets passwords
 * in masses must leave both to them.
 *
 * @throws SallyportError from what is returned, as the hasher does, and 503 `OVERLOADED` with `Retry-After` when 64 wait
 */
export function hashOneByOne({ hash }: Pick<PasswordHasher, 'hash'>): PasswordHasher['hash'] {
  let present = 0
  let last: Promise<unknown> = Promise.resolve()

  return async (password) => {
    if (present > maxWaiting) throw tooManyAtOnce()
    present += 1
    try {
      const turn = last.then(() => hash(password))
      last = turn.catch(() => undefined)
      return await turn
    } finally {
      present -= 1
    }
  }
}

function tooManyAtOnce(): SallyportError {
  return new SallyportError('OVERLOADED', 'Too many passwords are being set; try again in a moment', {
    headers: { 'Retry-After': '1' },
  })
}
