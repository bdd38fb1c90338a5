import { createCookieSessions, createKeyRing, type ApiKeys, type KeyRing } from '@sallyport/auth'
import { createIdempotency, createMemoryRateLimit, type ApiOptions } from '@sallyport/rest'
import { kyselyIdempotencyStore } from '@sallyport/sql/idempotency'
import { kyselySessionStore } from '@sallyport/sql/sessions'
import { commentRoutes } from './comments.ts'
import type { Config } from '../config/config.ts'
import { migrations, migrationTable } from '../database/migrations/index.ts'
import { createRepository } from '@sallyport/sql/rows'
import type { Storage } from '../database/storage.ts'
import type { UserRow } from '../database/tables.ts'
import { deriveKeys } from '../config/derived-keys.ts'
import type { Caller } from '../http/context.ts'
import { createInvitations } from '../invitations/invitations.ts'
import { invitationRoutes } from '../invitations/routes.ts'
import { hasAccess } from '../keys/has-access.ts'
import { openApiKeys } from '../keys/open-api-keys.ts'
import type { Logger } from '../logging/log.ts'
import type { SecurityLog } from '../logging/security-log.ts'
import { postRoutes } from './posts.ts'
import { projectRoutes } from './projects.ts'
import { createAccess } from '../sessions/access.ts'
import { createAuthenticate } from '../sessions/authenticate.ts'
import { cookieSessionRoutes } from '../sessions/cookie-routes.ts'
import { createKnownNetworks } from '../sessions/known-networks.ts'
import { createLogins } from '../sessions/logins.ts'
import { sessionRoutes } from '../sessions/routes.ts'
import { taskRoutes } from './tasks.ts'
import { createAccounts } from '../users/accounts.ts'
import { ensureAdmin, ensureDevelopmentAdmin } from '../users/first-admin.ts'
import { createPasswords } from '../users/passwords.ts'
import { createRegistration } from '../users/registration.ts'
import { createUsers, type Users } from '../users/repository.ts'
import { userRoutes } from '../users/routes.ts'
import { createUserTransactions } from '../users/transactions.ts'

/** The resources of the REST API and the dependencies of their routes. */
export interface Resources {
  readonly api: Pick<
    ApiOptions<Caller, object>,
    'routes' | 'authenticate' | 'hasRole' | 'getCallerId' | 'idempotency'
  >
  /** The keys of access tokens. */
  readonly keys: KeyRing
  readonly apiKeys: ApiKeys<UserRow>
  readonly users: Pick<Users, 'find'>
  /** The notices for the operator. */
  readonly notices: readonly string[]
  /** Delete expired sessions and invitations. */
  readonly prunes: readonly ((now: number) => Promise<unknown>)[]
}

/** Migrates the database, creates the first admin and the routes of all resources. */
export async function openResources(options: {
  readonly config: Config
  readonly storage: Pick<Storage, 'db' | 'reads' | 'search' | 'migrate'>
  readonly log: Logger
  readonly securityLog: Pick<SecurityLog, 'logSuccess'>
}): Promise<Resources> {
  const { config, log, securityLog } = options
  const { db, reads, search, migrate } = options.storage
  const { jwtKeys, jwtSecrets, settings } = config
  await migrate(migrations, { table: migrationTable })

  const users = createUsers(db, { reads, search })
  const posts = createRepository(db, 'posts', { noun: 'post', reads, search })
  const comments = createRepository(db, 'comments', { noun: 'comment', reads, search })
  const projects = createRepository(db, 'projects', { noun: 'project', reads, search })
  const tasks = createRepository(db, 'tasks', { noun: 'task', reads, search })

  const sessionStore = kyselySessionStore(db, { reads })
  const keys = createKeyRing([...jwtKeys, ...jwtSecrets])
  const access = createAccess({
    store: sessionStore,
    keys,
    secrets: jwtSecrets,
    issuer: settings.JWT_ISSUER,
    audience: settings.JWT_AUDIENCE,
  })
  const { sessions, verifier } = access
  const cookies = createCookieSessions({ sessions })
  const apiKeys = openApiKeys({ storage: options.storage, users, log })
  const passwords = createPasswords()
  const transactions = createUserTransactions(db, access)
  const failures = createMemoryRateLimit({ name: 'login', quota: 10, window: 15 * 60 })
  const accountFailures = createMemoryRateLimit({ name: 'account', quota: 20, window: 60 * 60 })
  const logins = createLogins({
    users,
    transactions,
    access,
    passwords,
    failures,
    accountFailures,
    knownNetworks: createKnownNetworks(),
    onRehashError: (error) => {
      log.warn({ err: error }, 'A password could not be rehashed; the next login tries again')
    },
  })
  const passwordChanges = createMemoryRateLimit({ name: 'auth', quota: settings.RATE_LIMIT_AUTH, window: 60 })
  const accounts = createAccounts({
    users,
    passwords,
    transactions,
    passwordChanges,
    checkPassword: logins.checkPassword,
    requiresCurrentPassword: settings.REQUIRE_CURRENT_PASSWORD,
    onChange: (targetId, changed, context) => {
      securityLog.logSuccess('user.changed', context, {
        route: '/users/{id}',
        status: 200,
        targetId,
        changed,
      })
    },
  })
  if (
    config.developmentAdmin &&
    !(await ensureDevelopmentAdmin(config.developmentAdmin, { users, accounts }))
  ) {
    log.info(
      'The database has an admin already, so no ADMIN_PASSWORD was generated: log in as that admin, or set ADMIN_EMAIL and ADMIN_PASSWORD to create another',
    )
  }
  const adminNotice =
    config.admin === undefined ? undefined : await ensureAdmin(config.admin, { users, accounts })

  const { REGISTRATION: mode = 'open' } = settings
  const invitations = createInvitations(db, { reads })
  const register = createRegistration({ mode, accounts, invitations })

  const idempotency = createIdempotency({
    store: kyselyIdempotencyStore(db),
    keys: deriveKeys(jwtSecrets, 'idempotency'),
    onStoreError: (error) => {
      log.error({ err: error }, 'A response could not be stored for its Idempotency-Key')
    },
  })

  return {
    keys,
    apiKeys,
    users,
    notices: adminNotice === undefined ? [] : [adminNotice],
    api: {
      authenticate: createAuthenticate({ verifier, cookies, users, apiKeys }),
      hasRole: hasAccess,
      getCallerId: ({ sub, key }) => (key === undefined ? sub : `key ${key.id}`),
      idempotency,
      routes: [
        ...userRoutes({ users, accounts, registrationMode: mode, register }),
        ...(mode === 'invite' ? invitationRoutes({ invitations, securityLog }) : []),
        ...sessionRoutes({ sessions, logins, securityLog }),
        ...cookieSessionRoutes({ cookies, logins, securityLog }),
        ...postRoutes({ posts, users }),
        ...commentRoutes({ comments, posts }),
        ...projectRoutes({ projects }),
        ...taskRoutes({ tasks, projects, users }),
      ],
    },
    prunes: [(now) => sessionStore.prune(now), () => invitations.prune()],
  }
}
