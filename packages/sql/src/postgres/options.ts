export interface PostgresOptions {
  /**
   * Where the database is, as libpq has it: `postgres://user:password@host:5432/database`. What it leaves out comes
   * from the variables of libpq, such as `PGPASSWORD`; `?sslmode=verify-full` asks for TLS.
   */
  readonly url: string
  /** How many connections are open at most. @default 10 */
  readonly maxConnections?: number
  /** How many callers may wait for a connection; more are refused at once with `OVERLOADED`. @default 1,000 */
  readonly maxWaiting?: number
  /** How long a caller waits for a connection, new or free, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /** How long a statement may take, in milliseconds; migrations take what they take. @default 10,000 */
  readonly statementTimeoutMs?: number
  /** How long a transaction may wait for its next statement, in milliseconds. @default 10,000 */
  readonly idleInTransactionTimeoutMs?: number
  /** After how long a connection that nobody uses is closed, in milliseconds. @default 30,000 */
  readonly idleTimeoutMs?: number
  /** After how many seconds a connection is replaced by a new one. @default 1,800 */
  readonly maxLifetimeSeconds?: number
  /** How the connections are called in `pg_stat_activity`. @default 'sallyport' */
  readonly applicationName?: string
  /** Told of connections that broke while nobody used them; they are replaced when there is need. */
  readonly onConnectionLost?: (error: Error) => void
}

/** Options that are there and in range. */
export type Settings = Required<PostgresOptions>

/** @throws TypeError for an option out of range */
export function settingsOf(options: PostgresOptions): Settings {
  const settings: Settings = {
    ...options,
    maxConnections: integer('maxConnections', options.maxConnections ?? 10),
    maxWaiting: integer('maxWaiting', options.maxWaiting ?? 1000),
    connectTimeoutMs: integer('connectTimeoutMs', options.connectTimeoutMs ?? 5000),
    statementTimeoutMs: integer('statementTimeoutMs', options.statementTimeoutMs ?? 10_000),
    idleInTransactionTimeoutMs: integer(
      'idleInTransactionTimeoutMs',
      options.idleInTransactionTimeoutMs ?? 10_000,
    ),
    idleTimeoutMs: integer('idleTimeoutMs', options.idleTimeoutMs ?? 30_000),
    maxLifetimeSeconds: integer('maxLifetimeSeconds', options.maxLifetimeSeconds ?? 1800),
    applicationName: options.applicationName ?? 'sallyport',
    onConnectionLost: options.onConnectionLost ?? (() => undefined),
  }
  return settings
}

// Timers and PostgreSQL's own settings end at 32 bits. Zero would mean "no limit" to some of them.
const max = 2 ** 31 - 1

function integer(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value
  throw new TypeError(`${name} must be an integer from 1 to ${max}`)
}
