import type { Sessions } from '@sallyport/auth'
import type { PasswordHasher } from '@sallyport/auth/password'
import { SallyportError } from '@sallyport/errors'
import { createKeyedMutex } from '@sallyport/internal/keyed-mutex'
import { requireQuota, type RateLimit } from '@sallyport/rest'
import { createContentionError } from '../rows/contention.ts'
import { isUniqueViolation } from '../rows/violations.ts'
import type { InTransaction } from '../rows/repository.ts'
import type { AccountTables, UserRow } from './tables.ts'
import type { RequestContext } from './context.ts'
import { createEndedError } from './ended-error.ts'
import { RefusalCause } from './events.ts'
import { getChanges, requireCaller, requireChangeable } from '../resources/changes.ts'
import type { CheckPassword } from './logins.ts'
import { isActiveAdmin, type UserTransactions } from './transactions.ts'
import { createSequentialHash } from './passwords.ts'
import type { Users } from './users.ts'
import type { UserChanges } from './user-schemas.ts'

/** A user to register. */
export interface NewAccount {
  readonly email: string
  readonly name: string
  readonly password: string
}

/** A field of a user that affects logins and permissions. */
type SecurityField = 'password' | 'email' | 'role' | 'status' | 'endpoints'

/** Changes of users that affect logins and permissions. */
export interface Accounts {
  /**
   * @param together part of the transaction that inserts the user; it may run again
   * @throws SallyportError 409 `EMAIL_TAKEN`; 503 `OVERLOADED` while too many wait
   */
  readonly register: (
    account: NewAccount,
    role?: UserRow['role'],
    together?: InTransaction<UserRow, AccountTables>,
  ) => Promise<UserRow>
  /**
   * Changes a user for its caller. `current_password` is the password of the caller. A new password or role, and a suspension, end the sessions of the user.
   *
   * @throws SallyportError 401 `INVALID_TOKEN` when the session of the caller has ended; 409 `EMAIL_TAKEN`, `LAST_ADMIN`; 403 `FORBIDDEN`; 404 `NOT_FOUND`; 412 `PRECONDITION_FAILED`; with a
   * password also 429 `RATE_LIMITED`, and 503 `OVERLOADED` while too many wait
   */
  readonly change: (id: string, changes: UserChanges, context: RequestContext) => Promise<UserRow>
  /**
   * Deletes a user, its resources and its sessions.
   *
   * @throws SallyportError 401 `INVALID_TOKEN` as `change`; 409 `LAST_ADMIN`; 403 `FORBIDDEN`; 404 `NOT_FOUND`; 412 `PRECONDITION_FAILED`
   */
  readonly remove: (id: string, context: RequestContext) => Promise<void>
}

export function createAccounts(options: {
  readonly users: Users
  readonly passwords: PasswordHasher
  readonly transactions: UserTransactions
  /** The rate limit of password changes, per caller. @default no limit */
  readonly passwordChanges?: RateLimit
  /** Checks the password of a caller. @default without limits */
  readonly checkPassword?: CheckPassword
  /** Whether a caller sends the current password to change a password or an e-mail address. @default false */
  readonly requiresCurrentPassword?: boolean
  /** Called after a change of a password, e-mail address, role, status or limit. */
  readonly onChange?: (
    user: UserRow,
    changed: readonly SecurityField[],
    context: RequestContext,
  ) => Promise<void>
}): Accounts {
  const verify: CheckPassword = (user, password) => options.passwords.verify(user.password_hash, password)
  const {
    users,
    transactions,
    passwordChanges,
    requiresCurrentPassword = false,
    checkPassword = verify,
  } = options
  const hash = createSequentialHash(options.passwords)
  // Transactions that wait for each other in the database would occupy its connections.
  const withMutex = createKeyedMutex(10_000, createContentionError)

  /** Rejects a taken address before the expensive hash; the unique index finds concurrent changes. */
  async function requireFree(email: string | undefined, id?: string): Promise<void> {
    if (email === undefined) return
    const holder = await users.find({ email })
    if (holder !== undefined && holder.id !== id) throw emailTaken()
  }

  /** Counts a change that verifies or hashes a password. */
  async function countChange(context: RequestContext): Promise<void> {
    const state = await passwordChanges?.count(`user ${requireCaller(context).sub}`)
    if (state === undefined) return
    context.showRateLimit(state)
    requireQuota(state)
  }

  async function requireCurrentPassword(password: string, context: RequestContext): Promise<void> {
    const { sub, sid } = requireCaller(context)
    const caller = await users.get({ id: sub })
    const { valid } = await checkPassword(caller, password, context.clientNetwork, context.showRateLimit)
    if (!valid) throw createWrongPasswordError(sid)
  }

  return {
    async register({ email, name, password }, role = 'user', together) {
      await requireFree(email)
      const password_hash = await hash(password)
      const user = {
        email,
        name,
        password_hash,
        role,
        status: 'active',
        endpoints: null,
        issuer: null,
        subject: null,
      } as const
      return users.insert(user, together).catch(rejectTakenEmail)
    },

    async change(id, { password, current_password: currentPassword, ...fields }, context) {
      const decide = (row: UserRow) => {
        requireChangeable(context, row, row.id)
        requireRank(context, row, fields)
        const changes = getChanges(row, fields, 'issuer')
        requireManagedHere(row, { ...changes, password })
        requireLimitable({ ...row, ...changes })
        return changes
      }
      // Checks the change before the hash, which runs outside of the transaction.
      const { email } = decide(await users.get({ id }))
      const changesLogin = password !== undefined || email !== undefined
      if (requiresCurrentPassword && changesLogin && currentPassword === undefined)
        throw createMissingPasswordError()
      if (password !== undefined) await requireFree(fields.email, id)
      if (password !== undefined || currentPassword !== undefined) await countChange(context)
      if (currentPassword !== undefined) await requireCurrentPassword(currentPassword, context)
      const secret = password === undefined ? {} : { password_hash: await hash(password) }

      let changed: readonly SecurityField[] = []
      const changing = withMutex(id, () =>
        transactions(async ({ lock, users, sessions, requireActiveAdmin }) => {
          await lock(id)
          let before: UserRow | undefined
          const user = await users.change({ id }, (row) => {
            before = row
            return { ...decide(row), ...secret }
          })
          await requireSession(sessions, context)
          if (isActiveAdmin(before) && !isActiveAdmin(user)) await requireActiveAdmin()
          changed = [
            ...(password === undefined ? [] : ['password' as const]),
            ...(['email', 'role', 'status', 'endpoints'] as const).filter(
              (field) => user[field] !== before?.[field],
            ),
          ]
          const ends = password !== undefined || user.role !== before?.role || user.status === 'suspended'
          if (ends) await sessions.revokeUser(id)
          return user
        }),
      )
      const updated = await changing.catch(rejectTakenEmail)
      if (changed.length > 0) await options.onChange?.(updated, changed, context)
      return updated
    },

    remove: (id, context) =>
      withMutex('deletion', () =>
        transactions(async ({ users, sessions, requireActiveAdmin }) => {
          let before: UserRow | undefined
          await users.remove({ id }, (row) => {
            requireChangeable(context, row)
            before = row
          })
          await requireSession(sessions, context)
          if (isActiveAdmin(before)) await requireActiveAdmin()
          await sessions.revokeUser(id)
        }),
      ),
  }
}

function createMissingPasswordError(): SallyportError {
  const message = 'Required to change a password or an e-mail address'
  return new SallyportError('VALIDATION_ERROR', 'The request is not valid', {
    details: [{ code: 'REQUIRED', field: 'current_password', in: 'body', message }],
  })
}

function createWrongPasswordError(sessionId: string | undefined): SallyportError {
  return new SallyportError('FORBIDDEN', 'The current password is wrong', {
    cause: new RefusalCause({ event: 'login.failed', sessionId }),
    details: [{ code: 'INVALID', field: 'current_password', in: 'body', message: 'Is wrong' }],
  })
}

/**
 * Requires that the session of the caller is active in the transaction of a change. Another process may have authenticated
 * the request from its cache, and a new role ends the sessions of a user: a demoted admin must not promote itself again.
 *
 * @throws SallyportError 401 `INVALID_TOKEN`
 */
async function requireSession(sessions: Pick<Sessions, 'isActive'>, context: RequestContext): Promise<void> {
  const { sid } = requireCaller(context)
  if (sid === undefined || !(await sessions.isActive(sid))) throw createEndedError()
}

/** Requires an admin for a change of role, status or limit. */
function requireRank(context: RequestContext, row: UserRow, changes: UserChanges): void {
  const { role, status, endpoints = row.endpoints } = changes
  if (requireCaller(context).role === 'admin') return
  const isSame = (role ?? row.role) === row.role && (status ?? row.status) === row.status
  if (isSame && endpoints === row.endpoints) return
  throw new SallyportError('FORBIDDEN', 'Only an admin may change role, status and endpoints')
}

/** An issuer decides the address and the role of its users, and checks their passwords. */
function requireManagedHere({ issuer }: UserRow, changes: UserChanges): void {
  const { password, email, role, endpoints } = changes
  const isUnchanged = (password ?? email ?? role) === undefined && endpoints === undefined
  if (typeof issuer !== 'string' || isUnchanged) return
  throw new SallyportError(
    'FORBIDDEN',
    'The issuer of the user has the password, the e-mail address, the role and the endpoints: change them there',
  )
}

/** An admin with a limit could remove it. */
function requireLimitable({ role, endpoints }: Pick<UserRow, 'role' | 'endpoints'>): void {
  if (role !== 'admin' || endpoints === null) return
  const message = 'Must be null for an admin'
  throw new SallyportError('VALIDATION_ERROR', 'The request is not valid', {
    details: [{ code: 'INVALID', field: 'endpoints', in: 'body', message }],
  })
}

function rejectTakenEmail(error: unknown): never {
  throw isUniqueViolation(error) ? emailTaken() : error
}

function emailTaken(): SallyportError {
  return new SallyportError('EMAIL_TAKEN', 'Another user has this e-mail address', {
    details: [{ code: 'TAKEN', field: 'email', in: 'body', message: 'Is taken' }],
  })
}
