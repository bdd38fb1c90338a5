import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import {
  cannotConnect,
  connectionLost,
  isConnectionLoss,
  PostgresConnectionError,
  unavailable,
} from './errors.ts'
import type { Settings } from './options.ts'
import { createPreparing, type Preparing } from './prepared.ts'
import type { SharedClient, SharedPool } from './shared-pool.ts'

/** The differences between the pool for queries and the pool for migrations. */
export interface PoolLimits {
  readonly connections: number
  /** False for migrations. */
  readonly timeouts: boolean
}

// The server's own timeout fires first: this one is for a server that vanished.
const readTimeoutMs = (statementTimeoutMs: number) => statementTimeoutMs + Math.min(statementTimeoutMs, 5000)

/** Returns the configuration of a connection that this package opens. */
export function clientConfig(url: string, settings: Settings, timeouts: boolean): pg.ClientConfig {
  return {
    connectionString: url,
    fallback_application_name: settings.applicationName,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    ...ownKeepAlive,
    ...(timeouts && {
      statement_timeout: settings.statementTimeoutMs,
      lock_timeout: settings.lockTimeoutMs,
      idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs,
    }),
  }
}

/** Creates a pool that the caller ends. */
export function ownPool(url: string, settings: Settings, target: string, limits: PoolLimits): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(url, settings, limits.timeouts),
    max: limits.connections,
    idleTimeoutMillis: settings.idleTimeoutMs,
    maxLifetimeSeconds: settings.maxLifetimeSeconds,
    onConnect: sessionSettings(settings.connectTimeoutMs),
  })
  // A connection may break before it is first used.
  pool.on('connect', ignoreErrors)
  pool.on('error', (error) => {
    if (!pool.ending) settings.onConnectionLost(connectionLost(error, target))
  })
  return pool
}

export interface PoolAdapterOptions {
  readonly target: string
  readonly maxWaiting: number
  /** How long to wait for an answer; the timeout of the server ends a statement earlier, where it has one. */
  readonly statementTimeoutMs: number | undefined
  /** Whether to close each connection after its use. */
  readonly discard: boolean
  readonly end: () => Promise<void>
}

/** Adapts a pool for Kysely: bounds the waiting callers, and explains connection errors. */
export function adaptPool(pool: SharedPool, options: PoolAdapterOptions): PostgresPool {
  const { target, maxWaiting } = options
  const preparing = createPreparing()
  let ending: Promise<void> | undefined
  return {
    options: {},
    async connect() {
      if (ending !== undefined) throw new Error('The database is closed')
      if (pool.waitingCount >= maxWaiting) {
        throw unavailable(
          new PostgresConnectionError('POOL_EXHAUSTED', 'Too many callers wait for a connection'),
        )
      }
      try {
        return adaptClient(await pool.connect(), options, preparing)
      } catch (error) {
        throw unavailable(cannotConnect(error, target))
      }
    },
    end: () => (ending ??= options.end()),
  }
}

const types = createTypeOverrides()
const handled = new WeakSet<SharedClient | SharedPool>()

/** Handles the errors of unused clients; a shared pool may outlive this database. */
export function ignorePoolErrors(pool: SharedPool): void {
  if (handled.has(pool)) return
  handled.add(pool)
  pool.on('connect', ignoreErrors)
}

/** Prevents that an `error` event of a client ends the process; the statement rejects with the error. */
export function ignoreErrors(client: SharedClient): void {
  if (handled.has(client)) return
  handled.add(client)
  client.on('error', () => undefined)
}

function adaptClient(
  client: SharedClient,
  { target, statementTimeoutMs, discard }: PoolAdapterOptions,
  preparing: Preparing,
): PostgresPoolClient {
  ignoreErrors(client)
  let isLost = false
  const timeout = statementTimeoutMs === undefined ? 2 ** 31 - 1 : readTimeoutMs(statementTimeoutMs)
  async function run<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    if (isLost) throw unavailable(connectionLost(new Error('The connection is broken'), target))
    try {
      const statement = { text, values: [...values], types, query_timeout: timeout }
      return (await preparing.query(client, statement)) as unknown as PostgresQueryResult<Row>
    } catch (error) {
      if (!isConnectionLoss(error)) throw error
      // A statement after its timeout may still run, so its connection is not reused.
      isLost = true
      throw unavailable(connectionLost(error, target))
    }
  }
  return {
    query: run as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(destroy === true || discard || isLost)
    },
  }
}

/**
 * Reads `bigint`, and so `count(*)`, as a number, as SQLite does.
 *
 * A value outside the safe range fails its query. Cast such a value to `text`.
 */
function createTypeOverrides(): pg.TypeOverrides {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, (text: string) => {
    const value = Number(text)
    if (Number.isSafeInteger(value)) return value
    throw new RangeError('A bigint is too large for a number; cast it to text')
  })
  return types
}

/** TCP keepalive of this side, which detects a server that vanished. */
const ownKeepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/**
 * Configures each connection of this package's own pool, in one statement:
 *
 * - TCP keepalive of the server: the server ends the session of a lost client within 30 s instead of two hours. Until
 *   then the session keeps its locks.
 * - `synchronous_commit = on` where the server, the database or the role says `off`: an acknowledged write is on the disk.
 * - `jit = off`: the compilation of a list took longer than the list.
 *
 * A stricter value stays. A statement is used because poolers reject startup parameters that they do not know. A server
 * that rejects the statement is used without these settings.
 *
 * @returns an `onConnect` hook of a pool; the pool awaits it, although its types do not say so
 */
export function sessionSettings(timeoutMs: number): (client: pg.ClientBase) => unknown {
  return async (client: pg.ClientBase) => {
    try {
      const statement = { text: settings, query_timeout: timeoutMs }
      await client.query(statement)
    } catch (error) {
      if (isConnectionLoss(error)) throw error
    }
  }
}

const settings = `
  select set_config(name, wanted, false)
  from (values ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'),
    ('tcp_user_timeout', '25000'), ('synchronous_commit', 'on'), ('jit', 'off')) as asked (name, wanted)
  where case when name = 'synchronous_commit' then current_setting(name) = 'off'
    when name = 'jit' then true
    when current_setting(name, true) ~ '^[0-9]+$'
    then current_setting(name, true)::bigint not between 1 and wanted::bigint else false end`
