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

/** What differs between the pool of a server and that of its migrations. */
export interface PoolLimits {
  readonly connections: number
  /** False for statements that take what they take. */
  readonly timeouts: boolean
}

// The server's own timeout comes first: this one fires when the server is gone without a word.
const readTimeoutMs = (statementTimeoutMs: number) => statementTimeoutMs + Math.min(statementTimeoutMs, 5000)

/** How a connection of this package is made. */
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

/** A pool of this package's own; whoever made it ends it. */
export function ownPool(url: string, settings: Settings, target: string, limits: PoolLimits): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(url, settings, limits.timeouts),
    max: limits.connections,
    idleTimeoutMillis: settings.idleTimeoutMs,
    maxLifetimeSeconds: settings.maxLifetimeSeconds,
    onConnect: sessionSettings(settings.connectTimeoutMs),
  })
  // It may break before it is lent.
  pool.on('connect', quieten)
  pool.on('error', (error) => {
    if (!pool.ending) settings.onConnectionLost(connectionLost(error, target))
  })
  return pool
}

export interface LendingOptions {
  readonly target: string
  readonly maxWaiting: number
  /** How long an answer is waited for; it ends before that where the server has a timeout of its own. */
  readonly statementTimeoutMs: number | undefined
  /** Whether a connection is of no use to others after it was used. */
  readonly discard: boolean
  readonly end: () => Promise<void>
}

/** Kysely's pool over another one: bounded in its waiting, it says what is wrong with a connection. */
export function lendingPool(pool: SharedPool, options: LendingOptions): PostgresPool {
  const { target, maxWaiting } = options
  const preparing = createPreparing()
  let ending: Promise<void> | undefined
  return {
    options: {},
    async connect() {
      if (ending !== undefined) throw new Error('The database is closed')
      if (pool.waitingCount >= maxWaiting) {
        throw unavailable(new PostgresConnectionError('POOL_EXHAUSTED', 'Too many wait for a connection'))
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

/** Clients of a pool break before they are lent too; a pool of somebody else outlives many databases over it. */
export function quietenPool(pool: SharedPool): void {
  if (quiet.has(pool)) return
  quiet.add(pool)
  pool.on('connect', quieten)
}

/** Without a listener a client that breaks while it is lent would end the process; whoever has it gets the error. */
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
    if (lost) throw unavailable(connectionLost(new Error('It is broken'), target))
    try {
      const statement = { text, values: [...values], types, query_timeout: timeout }
      return (await preparing.query(client, statement)) as unknown as PostgresQueryResult<Row>
    } catch (error) {
      if (!isConnectionLoss(error)) throw error
      // A statement that was given up on may still run: nobody else gets this connection.
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
