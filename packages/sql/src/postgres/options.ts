import type { SharedPool } from './shared-pool.ts'

/** A database, and how it is used: by a URL, with a pool of its own, or by a pool of yours. */
export type PostgresOptions = OwnPoolOptions | SharedPoolOptions

export interface OwnPoolOptions extends CommonOptions {
  /**
   * Where the database is, as libpq has it: `postgres://user:password@host:5432/database`. What it leaves out comes
   * from the variables of libpq, such as `PGPASSWORD`; `?sslmode=verify-full` asks for TLS.
   */
  readonly url: string
  readonly pool?: never
  /** How many connections are open at most, without the one of wake-ups. @default 10 */
  readonly maxConnections?: number
  /** How long a caller waits for a connection, new or free, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /**
   * How long a statement may wait for a lock, in milliseconds. Migrations have a patience of their own: a minute and a half,
   * and `DATABASE_BUSY` then. @default 5,000
   */
  readonly lockTimeoutMs?: number
  /** How long a transaction may wait for its next statement, in milliseconds. @default 10,000 */
  readonly idleInTransactionTimeoutMs?: number
  /** After how long a connection that nobody uses is closed, in milliseconds. @default 30,000 */
  readonly idleTimeoutMs?: number
  /** After how many seconds a connection is replaced by a new one. @default 1,800 */
  readonly maxLifetimeSeconds?: number
  /** How the connections are called in `pg_stat_activity`. @default 'sallyport' */
  readonly applicationName?: string
}

export interface SharedPoolOptions extends CommonOptions {
  /**
   * Your own `pg.Pool`, which stays yours to end, after `close`: wake-ups hold a connection of it until then. Its limits
   * and the timeouts of its server sessions hold: set `connectionTimeoutMillis`, `statement_timeout`, `lock_timeout` and
   * `idle_in_transaction_session_timeout` on it, and for its role `tcp_keepalives_idle`, `_interval`, `_count` and
   * `tcp_user_timeout`: what a process that is gone without a word has locked stays locked for two hours by their defaults.
   */
  readonly pool: SharedPool
  readonly url?: never
}

interface CommonOptions {
  /**
   * The schema that the tables are in; migrations make it where it is not there. Names are written with it, so that no
   * `search_path` is touched. By default, the first of the `search_path`.
   */
  readonly schema?: string
  /** How many callers may wait for a connection; more are refused at once with `OVERLOADED`. @default 1,000 */
  readonly maxWaiting?: number
  /**
   * How long a statement may take, in milliseconds; migrations take what they take. On a pool of yours the answer is
   * waited for half as long again (5 s longer at most), and the connection is given up then. @default 10,000
   */
  readonly statementTimeoutMs?: number
  /**
   * Whether processes wake each other by `NOTIFY`, over one connection more, or one out of your pool. Without it, and
   * behind a pooler that lends connections by transaction, work is found by polling. @default true
   */
  readonly wakeUps?: boolean
  /**
   * Told of connections that broke while nobody used them, which are replaced when there is need, and once of an outage of
   * wake-ups, during which work is found by polling. It gets a PostgresConnectionError.
   */
  readonly onConnectionLost?: (error: Error) => void
}

/** Options that are there and in range. */
export type Settings = Required<Omit<OwnPoolOptions, 'url' | 'pool' | 'schema'>> & {
  readonly schema: string | undefined
}

/** @throws TypeError for an option out of range */
export function settingsOf(options: PostgresOptions): Settings {
  const own: Partial<OwnPoolOptions> = options.pool === undefined ? options : {}
  const { schema } = options
  if (schema !== undefined && !/^[^\0]{1,63}$/.test(schema))
    throw new TypeError('schema must be the name of a schema: 1 to 63 characters')
  const poolSize = options.pool?.options?.max
  return {
    schema,
    maxConnections: integer('maxConnections', poolSize ?? own.maxConnections ?? 10),
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

// Timers and PostgreSQL's own settings end at 32 bits. Zero would mean "no limit" to some of them.
const max = 2 ** 31 - 1

function integer(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value
  throw new TypeError(`${name} must be an integer from 1 to ${max}`)
}
