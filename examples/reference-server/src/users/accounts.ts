import type { PasswordHasher } from '@sallyport/auth/password'
import { SallyportError } from '@sallyport/errors'
import type { Together } from '../database/repository.ts'
import { createRowTurns } from '../database/row-turns.ts'
import type { UserRow } from '../database/tables.ts'
import { isUniqueViolation } from '../database/violations.ts'
import { callerOf, type RequestContext } from '../http/context.ts'
import { enforce, type RateLimit } from '../http/rate-limit.ts'
import { changesOf, requireChangeable } from '../resources/changes.ts'
import { isActiveAdmin } from './last-admin.ts'
import { hashOneByOne } from './new-passwords.ts'
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
  /**
   * @param together part of the transaction that inserts the user; it may run again
   * @throws SallyportError 409 `EMAIL_TAKEN`; 503 `OVERLOADED` while too many wait for their turn
   */
  readonly register: (
    account: NewAccount,
    role?: UserRow['role'],
    together?: Together<UserRow>,
  ) => Promise<UserRow>
  /**
   * Changes a user for its caller. A new password or role, and a suspension, end the sessions of the user.
   *
   * @throws SallyportError 409 `EMAIL_TAKEN`, `LAST_ADMIN`; 403 `FORBIDDEN`; 404 `NOT_FOUND`; 412 `PRECONDITION_FAILED`; with a
   * password also 429 `RATE_LIMITED`, and 503 `OVERLOADED` while too many wait for their turn
   */
  readonly change: (id: string, changes: UserChanges, context: RequestContext) => Promise<UserRow>
  /**
   * Deletes a user, what it owns and its sessions.
   *
   * @throws SallyportError 409 `LAST_ADMIN`; 403 `FORBIDDEN`; 404 `NOT_FOUND`; 412 `PRECONDITION_FAILED`
   */
  readonly remove: (id: string, context: RequestContext) => Promise<void>
}

export function createAccounts(options: {
  readonly users: Users
  readonly passwords: PasswordHasher
  readonly transactions: UserTransactions
  /** What changes of passwords count against, by who makes them, once they cost a hash. @default nothing */
  readonly passwordChanges?: RateLimit
}): Accounts {
  const { users, transactions, passwordChanges } = options
  const hash = hashOneByOne(options.passwords)
  // Of those who would wait for each other in the database, each would keep a connection from all others meanwhile.
  const inTurn = createRowTurns()

  /** Hashing is too much work for what is refused afterwards; what comes in between, the database finds. */
  async function requireFree(email: string | undefined, id?: string): Promise<void> {
    if (email === undefined) return
    const holder = await users.find({ email })
    if (holder !== undefined && holder.id !== id) throw emailTaken()
  }

  return {
    async register({ email, name, password }, role = 'user', together) {
      await requireFree(email)
      const password_hash = await hash(password)
      const user = { email, name, password_hash, role, status: 'active' } as const
      return users.insert(user, together).catch(refuseTakenEmail)
    },

    async change(id, { password, ...fields }, context) {
      const decide = (row: UserRow) => {
        requireChangeable(context, row, row.id)
        requireRank(context, row, fields)
        return changesOf(row, fields)
      }
      // Hashing takes time that a transaction should not, and nobody who will be refused.
      decide(await users.get({ id }))
      if (password !== undefined) {
        await requireFree(fields.email, id)
        await enforce(passwordChanges, `user ${callerOf(context).sub}`, context.showStanding)
      }
      const secret = password === undefined ? {} : { password_hash: await hash(password) }

      const changing = inTurn(id, () =>
        transactions(async ({ lock, users, sessions, requireActiveAdmin }) => {
          await lock(id)
          let before: UserRow | undefined
          const user = await users.change({ id }, (row) => {
            before = row
            return { ...decide(row), ...secret }
          })
          if (isActiveAdmin(before) && !isActiveAdmin(user)) await requireActiveAdmin()
          const ends = password !== undefined || user.role !== before?.role || user.status === 'suspended'
          if (ends) await sessions.revokeUser(id)
          return user
        }),
      )
      return changing.catch(refuseTakenEmail)
    },

    remove: (id, context) =>
      inTurn('deletion', () =>
        transactions(async ({ users, sessions, requireActiveAdmin }) => {
          let before: UserRow | undefined
          await users.remove({ id }, (row) => {
            requireChangeable(context, row)
            before = row
          })
          if (isActiveAdmin(before)) await requireActiveAdmin()
          await sessions.revokeUser(id)
        }),
      ),
  }
}

/** Role and status are changed by admins alone; anybody may send them as they are. */
function requireRank(context: RequestContext, row: UserRow, { role, status }: UserChanges): void {
  if (callerOf(context).role === 'admin') return
  if ((role ?? row.role) === row.role && (status ?? row.status) === row.status) return
  throw new SallyportError('FORBIDDEN', 'Only an admin may change role and status')
}

function refuseTakenEmail(error: unknown): never {
  throw isUniqueViolation(error) ? emailTaken() : error
}

function emailTaken(): SallyportError {
  return new SallyportError('EMAIL_TAKEN', 'There is a user with this e-mail address already', {
    details: [{ field: 'email', message: 'Is taken' }],
  })
}
