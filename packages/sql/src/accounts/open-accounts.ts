import { createApiKeys, createCookieSessions, createKeyRing } from '@sallyport/auth'
import { createMemoryRateLimit } from '@sallyport/rest'
import type { Kysely } from 'kysely'
import { createKyselyApiKeyStore } from '../keys/api-key-store.ts'
import { createKyselySessionStore } from '../sessions/session-store.ts'
import { createAccess } from './access.ts'
import { createAccounts } from './accounts.ts'
import type { AccountsOptions, OpenedAccounts } from './account-options.ts'
import { createAccountAudit } from './audit.ts'
import { createAuthenticate } from './authenticate.ts'
import { cookieSessionRoutes } from './cookie-routes.ts'
import type { ReportAccountEvent } from './events.ts'
import { createFirstAdmin, ensureAdmin } from './first-admin.ts'
import { hasAccess } from './has-access.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { createInvitations } from './invitations.ts'
import { keySetRoutes } from './key-set.ts'
import { createKnownNetworks } from './known-networks.ts'
import { createLogins } from './logins.ts'
import { createPasswords } from './passwords.ts'
import { createRegistration } from './registration.ts'
import { createSecurityEvents } from './security-events.ts'
import { sessionRoutes } from './session-routes.ts'
import { createIssuerLogins } from './single-sign-on.ts'
import { singleSignOnRoutes } from './single-sign-on-routes.ts'
import type { AccountTables } from './tables.ts'
import { createUserTransactions, isActiveAdmin } from './transactions.ts'
import { userRoutes } from './user-routes.ts'
import { createUsers, type OnUserRemoved } from './users.ts'

/**
 * Opens the accounts of a REST API: users with roles, registration, logins with tokens and cookies, invitations and API keys.
 * The database needs `accounts`, `sessions` and `apiKeys` of `restMigrations`.
 *
 * Wrong passwords are limited per account and network. A suspension, a new role and a new password end the sessions of a
 * user. The last active admin cannot be removed.
 *
 * The `roles` in the `access` of a route name roles of users, permissions of roles (`read`, `replay`, `erase`, `manage`) and
 * scopes of API keys. One of them admits a caller.
 *
 * @throws TypeError as `createKeyRing`, for short secrets and unusable keys
 *
 * @example
 * ```ts
 * import { createApi } from '@sallyport/rest'
 * import { openAccounts } from '@sallyport/sql/accounts'
 * import { restMigrations } from '@sallyport/sql/rest'
 * import { openPostgres } from '@sallyport/sql/postgres'
 *
 * const { DATABASE_URL: url = '', JWT_SECRET: secret = '' } = process.env
 * const database = await openPostgres({ url })
 * await database.migrate(
 *   {
 *     '0001-accounts': restMigrations.accounts,
 *     '0002-sessions': restMigrations.sessions,
 *     '0003-keys': restMigrations.apiKeys,
 *   },
 *   { table: 'my_migrations' },
 * )
 * const accounts = openAccounts({ db: database.kysely, secrets: [secret], issuer: 'notes', audience: 'notes' })
 * const api = createApi({ ...accounts.api, secrets: [secret], routes: accounts.routes })
 * ```
 */
export function openAccounts<Tables>(options: AccountsOptions<Tables>): OpenedAccounts {
  const { secrets, issuer, audience, search, mountPath, registration: mode = 'open' } = options
  const { onError = () => undefined, attemptsPerMinute = 20 } = options
  const { report, onResponse } = createSecurityEvents(options.onEvent ?? (() => undefined), mountPath)
  const db = options.db as unknown as Kysely<AccountTables>
  const reads = (options.reads ?? options.db) as unknown as Kysely<AccountTables>
  // The transaction has the tables of the database.
  const onRemoved = options.onRemoved as OnUserRemoved | undefined

  const users = createUsers(db, { reads, onRemoved, ...(search && { search }) })
  const record = createAccountAudit({ audit: options.audit, users, onError })
  const onEvent: ReportAccountEvent = (...event) => {
    report(...event)
    return record(...event)
  }
  const sessionStore = createKyselySessionStore(db, { reads })
  const keys = createKeyRing([...(options.keys ?? []), ...secrets])
  const access = createAccess({ store: sessionStore, keys, secrets, issuer, audience })
  const { sessions, verifier } = access
  const cookies = createCookieSessions({ sessions })
  const apiKeys = createApiKeys({
    store: createKyselyApiKeyStore(db, { reads }),
    async getOwner(id) {
      const user = await users.find({ id })
      return isActiveAdmin(user) ? user : undefined
    },
    onError: (error) => {
      onError(error, 'The last use of API keys cannot be stored')
    },
  })
  const passwords = createPasswords()
  const transactions = createUserTransactions(db, access, { onRemoved })
  const logins = createLogins({
    ...{ users, transactions, access, passwords },
    failures: createMemoryRateLimit({ name: 'login', quota: 10, window: 15 * 60 }),
    accountFailures: createMemoryRateLimit({ name: 'account', quota: 20, window: 60 * 60 }),
    knownNetworks: createKnownNetworks(),
    passwordLogins: options.passwordLogins,
    onRehashError: (error) => {
      onError(error, 'A password could not be rehashed; the next login tries again')
    },
  })
  const accounts = createAccounts({
    ...{ users, passwords, transactions },
    passwordChanges: createMemoryRateLimit({ name: 'auth', quota: attemptsPerMinute, window: 60 }),
    checkPassword: logins.checkPassword,
    requiresCurrentPassword: options.requiresCurrentPassword ?? false,
    onChange: ({ id: targetId, role }, changed, context) =>
      onEvent('user.changed', context, {
        ...{ route: '/users/{id}', status: 200, targetId, changed },
        ...(changed.includes('role') && { role }),
      }),
  })
  const invitations = createInvitations(db, { reads })
  const register = createRegistration({ mode, accounts, invitations })

  return {
    users,
    apiKeys,
    api: {
      authenticate: createAuthenticate({ verifier, cookies, users, apiKeys }),
      hasRole: hasAccess,
      onResponse,
      getCallerId: ({ sub, key }) => (key === undefined ? sub : `key ${key.id}`),
      rateLimits: {
        default: { quota: 600, window: 60 },
        auth: { quota: attemptsPerMinute, window: 60, perRoute: true },
        // One quota for logins with and without a cookie.
        logins: createMemoryRateLimit({ name: 'auth', quota: attemptsPerMinute, window: 60 }),
      },
    },
    routes: [
      ...userRoutes({ users, accounts, registrationMode: mode, register, onEvent, mountPath }),
      ...(mode === 'closed' ? [] : invitationRoutes({ invitations, onEvent })),
      ...sessionRoutes({ sessions, logins, users, onEvent, mountPath }),
      ...cookieSessionRoutes({ cookies, logins, onEvent, mountPath }),
      ...(options.singleSignOn
        ? singleSignOnRoutes({
            ...{ cookies, onEvent, client: options.singleSignOn.client },
            logins: createIssuerLogins({ users, transactions, ...options.singleSignOn }),
          })
        : []),
    ],
    keySetRoutes: keySetRoutes(keys),
    ensureAdmin: (admin) => ensureAdmin(admin, { users, accounts }),
    createFirstAdmin: (admin, save) => createFirstAdmin(admin, save, { users, accounts }),
    async prune(now) {
      await sessionStore.prune(now)
      await invitations.prune()
    },
  }
}
