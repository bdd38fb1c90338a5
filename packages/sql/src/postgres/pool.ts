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
import { ownKeepAlive, sessionSettings } from './session-settings.ts'
import type { SharedClient, SharedPool } from './shared-pool.ts'
import { createTypeOverrides } from './types.ts'

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
  pool.on('connect', quieten)
  pool.on('error', (error) => {
    if (!pool.ending) settings.onConnectionLost(connectionLost(error, target))
  })
  return pool
}

export interface LendingOptions {
  readonly target: string
  readonly maxWaiting: number
  /** How long to wait for an answer; the timeout of the server ends a statement earlier, where it has one. */
  readonly statementTimeoutMs: number | undefined
  /** Whether to close each connection after its use. */
  readonly discard: boolean
  readonly end: () => Promise<void>
}

/** Adapts a pool for Kysely: bounds the waiting callers, and explains connection errors. */
export function lendingPool(pool: SharedPool, options: LendingOptions): PostgresPool {
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
        return lend(await pool.connect(), options, preparing)
      } catch (error) {
        throw unavailable(cannotConnect(error, target))
      }
    },
    end: () => (ending ??= options.end()),
  }
}

const types = createTypeOverrides()
const quiet = new WeakSet<SharedClient | SharedPool>()

/** Handles the errors of unused clients; a shared pool may outlive this database. */
export function quietenPool(pool: SharedPool): void {
  if (quiet.has(pool)) return
  quiet.add(pool)
  pool.on('connect', quieten)
}

/** Prevents that an `error` event of a client ends the process; the statement rejects with the error. */
function quieten(client: SharedClient): void {
  if (quiet.has(client)) return
  quiet.add(client)
  client.on('error', () => undefined)
}

function lend(
  client: SharedClient,
  { target, statementTimeoutMs, discard }: LendingOptions,
  preparing: Preparing,
): PostgresPoolClient {
  quieten(client)
  let lost = false
  const timeout = statementTimeoutMs === undefined ? 2 ** 31 - 1 : readTimeoutMs(statementTimeoutMs)
  async function run<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    if (lost) throw unavailable(connectionLost(new Error('The connection is broken'), target))
    try {
      const statement = { text, values: [...values], types, query_timeout: timeout }
      return (await preparing.query(client, statement)) as unknown as PostgresQueryResult<Row>
    } catch (error) {
      if (!isConnectionLoss(error)) throw error
      // A statement after its timeout may still run, so its connection is not reused.
      lost = true
      throw unavailable(connectionLost(error, target))
    }
  }
  return {
    query: run as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(destroy === true || discard || lost)
    },
  }
}
