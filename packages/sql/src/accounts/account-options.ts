import type { ApiKeys, PrivateKeyInput } from '@sallyport/auth'
import type { ApiOptions, RouteBinding } from '@sallyport/rest'
import type { AuditLog } from '@sallyport/webhooks/audit'
import type { Kysely } from 'kysely'
import type { RowSearch } from '../rows/row-search.ts'
import type { Caller, RequestContext } from './context.ts'
import type { SecurityEvent } from './events.ts'
import type { Admin } from './first-admin.ts'
import type { RegistrationMode } from './registration.ts'
import type { SingleSignOn } from './single-sign-on.ts'
import type { UserRow } from './tables.ts'
import type { Users } from './users.ts'

export interface AccountsOptions<Tables> {
  readonly db: Kysely<Tables>
  /** The database for short reads, such as the `reads` of a SQLite database. @default the database */
  readonly reads?: Kysely<Tables>
  /** Limits the searches for users: `search` of the database. @default no limit */
  readonly search?: RowSearch
  /** Secrets of at least 32 bytes, the newest first. They sign access tokens and create refresh tokens. */
  readonly secrets: readonly string[]
  /** Private keys that sign access tokens instead of the secrets; the first signs. @default none */
  readonly keys?: readonly PrivateKeyInput[]
  /** `iss` of access tokens. */
  readonly issuer: string
  /** `aud` of access tokens. */
  readonly audience: string
  /** @default 'open' */
  readonly registration?: RegistrationMode
  /** Whether a user sends the current password to change a password or an e-mail address. @default false */
  readonly requiresCurrentPassword?: boolean
  /** Registrations, logins and refreshes per client and minute, and password changes per user and minute. @default 20 */
  readonly attemptsPerMinute?: number
  /** The e-mail addresses, in lower case, of the users who may log in with a password. @default all */
  readonly passwordLogins?: readonly string[]
  /** Logins at an issuer of OpenID Connect, at `GET /sessions/sso`. @default none */
  readonly singleSignOn?: SingleSignOn
  /** The mount path of the API in `Location` and in events. @default that of the request, and none in events */
  readonly mountPath?: string
  /** Called after logins, logouts and changes of accounts, and after refused requests, for a security log. */
  readonly onEvent?: (event: SecurityEvent) => void
  /** Records what operators change: users, invitations and logouts. @default no audit */
  readonly audit?: Pick<AuditLog, 'record'>
  /** Called with errors of the database that do not fail a request, and a text that says what is lost. */
  readonly onError?: (error: unknown, text: string) => void
  /** Changes your own tables in the transaction that deletes a user. @default nothing */
  readonly onRemoved?: (transaction: Kysely<Tables>, id: string) => Promise<unknown>
}

/** The accounts of a REST API. */
export interface OpenedAccounts {
  /** Options of `createApi`: authentication, roles, the report of refused requests, and rate limits, of which `default` is 600 requests per client and minute. */
  readonly api: Required<
    Pick<ApiOptions<Caller, object>, 'authenticate' | 'hasRole' | 'getCallerId' | 'rateLimits' | 'onResponse'>
  >
  /** The routes of users, sessions and invitations. */
  readonly routes: readonly RouteBinding<RequestContext>[]
  /** `GET /.well-known/jwks.json` with the public keys of access tokens, for an API at the root. */
  readonly keySetRoutes: readonly RouteBinding<RequestContext>[]
  /** The API keys of admins. A key works while its owner is an active admin. */
  readonly apiKeys: ApiKeys<UserRow>
  readonly users: Users
  /** Creates an admin, unless a user has the address. Resolves to whether that user is an admin who logs in with a password. */
  readonly ensureAdmin: (admin: Admin) => Promise<boolean>
  /**
   * Creates the first admin of a database, unless it has one; resolves to whether it did. `save` stores the password, in the
   * transaction that creates the admin.
   */
  readonly createFirstAdmin: (admin: Admin, save: () => void) => Promise<boolean>
  /** Deletes expired sessions and invitations, at the present time in milliseconds since the epoch. */
  readonly prune: (now: number) => Promise<void>
}
