import type { PasswordHasher } from '@sallyport/auth/password'
import { SallyportError } from '@sallyport/errors'
import type { UserRow } from '../database/tables.ts'
import { isUniqueViolation } from '../database/violations.ts'
import { callerOf, type RequestContext } from '../http/context.ts'
import { changesOf, requireChangeable } from '../resources/changes.ts'
import type { Users } from './repository.ts'
import type { UserChanges } from './schemas.ts'
import type { UserTransactions } from './transactions.ts'

interface NewAccount {
  readonly email: string
  readonly name: string
  readonly password: string
}

/** Users as those who log in: what changes here changes who may do what. */
export interface Accounts {
  /** @throws SallyportError 409 `EMAIL_TAKEN` */
  readonly register: (account: NewAccount, role?: UserRow['role']) => Promise<UserRow>
  /**
   * Changes a user for its caller. A new password or role, and a suspension, end the sessions of the user.
   *
   * @throws SallyportError 409 `EMAIL_TAKEN`; 403 `FORBIDDEN`; 404 `NOT_FOUND`; 412 `PRECONDITION_FAILED`
   */
  readonly change: (id: string, changes: UserChanges, context: RequestContext) => Promise<UserRow>
  /** Deletes a user, what it owns and its sessions. */
  readonly remove: (id: string, context: RequestContext) => Promise<void>
}

export function createAccounts(options: {
  readonly users: Users
  readonly passwords: PasswordHasher
  readonly transactions: UserTransactions
}): Accounts {
  const { users, passwords, transactions } = options
  return {
    async register({ email, name, password }, role = 'user') {
      const password_hash = await passwords.hash(password)
      return users.insert({ email, name, password_hash, role, status: 'active' }).catch(refuseTakenEmail)
    },

    async change(id, { password, ...fields }, context) {
      const decide = (row: UserRow) => {
        requireChangeable(context, row, row.id)
        requireRank(context, row, fields)
        return changesOf(row, fields)
      }
      // Hashing takes time that a transaction should not, and nobody who will be refused.
      decide(await users.get({ id }))
      const secret = password === undefined ? {} : { password_hash: await passwords.hash(password) }

      return transactions(async ({ lock, users, sessions }) => {
        await lock(id)
        let before: UserRow | undefined
        const user = await users.change({ id }, (row) => {
          before = row
          return { ...decide(row), ...secret }
        })
        const ends = password !== undefined || user.role !== before?.role || user.status === 'suspended'
        if (ends) await sessions.revokeUser(id)
        return user
      }).catch(refuseTakenEmail)
    },

    remove: (id, context) =>
      transactions(async ({ users, sessions }) => {
        await users.remove({ id }, (row) => {
          requireChangeable(context, row)
        })
        await sessions.revokeUser(id)
      }),
  }
}

/** Role and status are changed by admins alone; anybody may send them as they are. */
function requireRank(context: RequestContext, row: UserRow, { role, status }: UserChanges): void {
  if (callerOf(context).role === 'admin') return
  if ((role ?? row.role) === row.role && (status ?? row.status) === row.status) return
  throw new SallyportError('FORBIDDEN', 'Only an admin may change role and status')
}

function refuseTakenEmail(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw new SallyportError('EMAIL_TAKEN', 'There is a user with this e-mail address already', {
    details: [{ field: 'email', message: 'Is taken' }],
  })
}
