import type { BodiesOptions } from '../bodies/body-store.ts'
import type { EncryptionOptions } from '../encryption/vault.ts'
import type { SharedPool } from './shared-pool.ts'

/** A database by a URL, with the package's own pool, or by a pool of yours. */
export type PostgresOptions = OwnPoolOptions | SharedPoolOptions

export interface OwnPoolOptions extends CommonOptions {
  /**
   * The address of the database in libpq form: `postgres://user:password@host:5432/database`. Missing parts come from the
   * variables of libpq, such as `PGPASSWORD`; `?sslmode=verify-full` enables TLS.
   */
  readonly url: string
  readonly pool?: never
  /**
   * The maximum number of open connections, without those for handlers and the connection for wake-ups. @default 10
   */
  readonly maxConnections?: number
  /** How long a caller waits for a new or free connection, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /**
   * How long a statement may wait for a lock, in milliseconds. Migrations have a separate timeout of 90 seconds, and fail
   * with `DATABASE_BUSY`. @default 5,000
   */
  readonly lockTimeoutMs?: number
  /** How long a transaction may wait for its next statement, in milliseconds. @default 10,000 */
  readonly idleInTransactionTimeoutMs?: number
  /** How long an unused connection stays open, in milliseconds. @default 30,000 */
  readonly idleTimeoutMs?: number
  /** How long a connection is used before a new one replaces it, in seconds. @default 1,800 */
  readonly maxLifetimeSeconds?: number
  /** The name of the connections in `pg_stat_activity`. @default 'sallyport' */
  readonly applicationName?: string
}

interface SharedPoolOptions extends CommonOptions {
  /**
   * Your own `pg.Pool`. End it after `close`, because wake-ups hold one of its connections until then. The pool's limits
   * and session timeouts apply: set `connectionTimeoutMillis`, `statement_timeout`, `lock_timeout` and
   * `idle_in_transaction_session_timeout` on it, and for its role `tcp_keepalives_idle`, `_interval`, `_count` and
   * `tcp_user_timeout`: with their defaults, the locks of a process that vanished stay for two hours.
   */
  readonly pool: SharedPool
  readonly url?: never
}

interface CommonOptions {
  /** Encrypts stored deliveries and events. @default no encryption */
  readonly encryption?: EncryptionOptions
  /** Stores large bodies outside the database. @default all bodies are in the database */
  readonly bodies?: BodiesOptions
  /**
   * Whether to create and update the tables of webhooks; see `migrate` of the database. @default false
   */
  readonly migrate?: boolean
  /**
   * The schema of the tables; migrations create it when it is missing. Statements qualify the names and leave
   * `search_path` unchanged. @default the first of the `search_path`
   */
  readonly schema?: string
  /**
   * The maximum number of connections for the handlers of `once` and `transactional`, so that slow handlers leave the
   * others to the gateway. They are opened when they are first used. On a pool of yours, handlers use at most this number of
   * its connections.
   *
   * @default 10; half of the connections of a pool of yours
   */
  readonly handlerConnections?: number
  /** How many callers may wait for a connection; further callers fail with `OVERLOADED`. @default 1,000 */
  readonly maxWaiting?: number
  /**
   * How long a statement may take, in milliseconds; migrations have no limit. On a pool of yours, the wait for the answer
   * is half as long again (at most 5 s longer), and the connection is closed then. @default 10,000
   */
  readonly statementTimeoutMs?: number
  /**
   * Whether processes wake each other by `NOTIFY`, over one additional connection, or one of your pool. Without wake-ups,
   * and with a pooler in transaction mode, work is found by polling. @default true
   */
  readonly wakeUps?: boolean
  /**
   * Called with a PostgresConnectionError for an idle connection that broke, which is replaced on demand, and once per
   * outage of wake-ups, during which work is found by polling.
   */
  readonly onConnectionLost?: (error: Error) => void
}

/** Options with defaults, in range. */
export type Settings = Required<
  Omit<OwnPoolOptions, 'url' | 'pool' | 'schema' | 'migrate' | 'encryption' | 'bodies'>
> & {
  readonly schema: string | undefined
}

/** @throws TypeError for an option out of range */
export function resolveSettings(options: PostgresOptions): Settings {
  const own: Partial<OwnPoolOptions> = options.pool === undefined ? options : {}
  const { schema } = options
  if (schema !== undefined && !/^[^\0]{1,63}$/.test(schema))
    throw new TypeError('schema must be the name of a schema: 1 to 63 characters')
  const poolSize = options.pool?.options?.max
  const maxConnections = integer('maxConnections', poolSize ?? own.maxConnections ?? 10)
  const handlers = options.pool === undefined ? 10 : Math.max(1, maxConnections >> 1)
  return {
    schema,
    maxConnections,
    handlerConnections: integer('handlerConnections', options.handlerConnections ?? handlers),
    maxWaiting: integer('maxWaiting', options.maxWaiting ?? 1000),
    connectTimeoutMs: integer('connectTimeoutMs', own.connectTimeoutMs ?? 5000),
    statementTimeoutMs: integer('statementTimeoutMs', options.statementTimeoutMs ?? 10_000),
    lockTimeoutMs: integer('lockTimeoutMs', own.lockTimeoutMs ?? 5000),
    idleInTransactionTimeoutMs: integer(
      'idleInTransactionTimeoutMs',
      own.idleInTransactionTimeoutMs ?? 10_000,
    ),
    idleTimeoutMs: integer('idleTimeoutMs', own.idleTimeoutMs ?? 30_000),
    maxLifetimeSeconds: integer('maxLifetimeSeconds', own.maxLifetimeSeconds ?? 1800),
    applicationName: own.applicationName ?? 'sallyport',
    wakeUps: options.wakeUps ?? true,
    onConnectionLost: options.onConnectionLost ?? (() => undefined),
  }
}

// Timers and PostgreSQL's own settings are limited to 32 bits. Zero would disable some of them.
const max = 2 ** 31 - 1

function integer(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value
  throw new TypeError(`${name} must be an integer from 1 to ${max}`)
}
