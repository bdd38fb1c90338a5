import { createOidcClient } from '@sallyport/auth/oidc'
import { createIdempotency, type ApiOptions } from '@sallyport/rest'
import { openAccounts, type Caller, type OpenedAccounts } from '@sallyport/sql/accounts'
import { createRestStores } from '@sallyport/sql/rest'
import { createRepository } from '@sallyport/sql/resources'
import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import { deriveKeys } from '../config/derived-keys.ts'
import { migrations, migrationTable } from '../database/migrations/index.ts'
import type { Storage } from '../database/storage.ts'
import type { Tables } from '../database/tables.ts'
import { apiPath } from '../http/path.ts'
import { logOutages, type Logger } from '../logging/log.ts'
import { collectionRoutes } from './collections.ts'
import { taskRoutes } from './tasks.ts'

/** The resources of the REST API and the dependencies of their routes. */
export interface Resources {
  readonly api: OpenedAccounts['api'] & Pick<ApiOptions<Caller, object>, 'routes' | 'idempotency'>
  readonly accounts: Pick<OpenedAccounts, 'apiKeys' | 'users' | 'keySetRoutes' | 'prune'>
  /** The notices for the operator. */
  readonly notices: readonly string[]
}

/** Migrates the database, creates the first admin and the routes of all resources. */
export async function openResources({
  config,
  storage,
  log,
}: {
  readonly config: Config
  readonly storage: Pick<Storage, 'db' | 'reads' | 'search' | 'migrate' | 'stores'>
  readonly log: Logger
}): Promise<Resources> {
  const { jwtSecrets, settings } = config
  const { db, reads, search } = storage
  await storage.migrate(migrations, { table: migrationTable })

  const report = logOutages(log)
  const accounts = openAccounts({
    ...{ db, reads, search, mountPath: apiPath, onRemoved: unassignTasks },
    keys: config.jwtKeys,
    secrets: jwtSecrets,
    issuer: settings.JWT_ISSUER,
    audience: settings.JWT_AUDIENCE,
    registration: settings.PASSWORD_LOGIN === 'off' ? 'closed' : (settings.REGISTRATION ?? 'open'),
    ...openLogins(config),
    requiresCurrentPassword: settings.REQUIRE_CURRENT_PASSWORD,
    attemptsPerMinute: settings.RATE_LIMIT_AUTH,
    audit: storage.stores.audit(),
    onEvent: (event) => {
      log.info(event, 'Security')
    },
    onError: (error, text) => {
      report(text, error)
    },
  })
  const notices = await createAdmins(accounts, config, log)

  return {
    accounts,
    notices,
    api: {
      ...accounts.api,
      idempotency: createIdempotency({
        store: createRestStores(db).idempotency,
        keys: deriveKeys(jwtSecrets, 'idempotency'),
        onStoreError: (error) => {
          log.error({ err: error }, 'A response could not be stored for its Idempotency-Key')
        },
      }),
      routes: [
        ...accounts.routes,
        ...(settings.RESOURCES === 'on' ? demonstrationRoutes(storage, accounts.users) : []),
      ],
    },
  }
}

/** The logins at the issuer, and who may log in with a password. */
function openLogins({ issuer, settings, jwtSecrets, admin, developmentAdmin }: Config) {
  const { OIDC_ROLES: roles, OIDC_CLAIM: claim, OIDC_SESSION_HOURS: hours, PASSWORD_LOGIN } = settings
  const first = (admin ?? developmentAdmin)?.email.toLowerCase()
  return {
    ...(PASSWORD_LOGIN === 'off' && { passwordLogins: first === undefined ? [] : [first] }),
    ...(issuer &&
      roles && {
        singleSignOn: {
          client: createOidcClient({ ...issuer, secrets: jwtSecrets }),
          ...{ roles, claim, sessionSeconds: hours * 3600 },
        },
      }),
  }
}

/** Creates the routes of the collections of the specification that demonstrate the REST kit. */
function demonstrationRoutes(
  { db, reads, search }: Pick<Storage, 'db' | 'reads' | 'search'>,
  users: OpenedAccounts['users'],
) {
  const posts = createRepository(db, 'posts', { noun: 'post', reads, search })
  const comments = createRepository(db, 'comments', { noun: 'comment', reads, search })
  const projects = createRepository(db, 'projects', { noun: 'project', reads, search })
  const tasks = createRepository(db, 'tasks', { noun: 'task', reads, search })
  return [
    ...collectionRoutes({ users, posts, comments, projects }),
    ...taskRoutes({ tasks, projects, users }),
  ]
}

/** Unassigns the tasks of a deleted user. The foreign key does so too, but does not change their versions. */
async function unassignTasks(transaction: Kysely<Tables>, userId: string): Promise<void> {
  await transaction
    .updateTable('tasks')
    .set((row) => ({
      assignee_id: null,
      version: row('version', '+', 1),
      updated_at: new Date().toISOString(),
    }))
    .where('assignee_id', '=', userId)
    .execute()
}

/** Creates the first admin of the configuration, and returns notices for the operator. */
async function createAdmins(
  accounts: Pick<OpenedAccounts, 'ensureAdmin' | 'createFirstAdmin'>,
  { admin, developmentAdmin }: Pick<Config, 'admin' | 'developmentAdmin'>,
  log: Pick<Logger, 'info'>,
): Promise<readonly string[]> {
  if (developmentAdmin && !(await accounts.createFirstAdmin(developmentAdmin, developmentAdmin.savePassword)))
    log.info(
      'The database has an admin already, so no ADMIN_PASSWORD was generated: log in as that admin, or set ADMIN_EMAIL and ADMIN_PASSWORD to create another',
    )
  // A changed role must not prevent the start.
  if (admin === undefined || (await accounts.ensureAdmin(admin))) return []
  return [
    'ADMIN_EMAIL is the address of a user without the role admin, or of one who logs in at the issuer: set another address, or unset ADMIN_EMAIL',
  ]
}
