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
import { createTypeOverrides } from './types.ts'

/** What differs between the pool of a server and that of its migrations. */
export interface PoolLimits {
  readonly connections: number
  /** False for statements that take what they take. */
  readonly timeouts: boolean
}

// The server's own timeout comes first: this one fires when the server is gone without a word.
const readTimeoutMs = (statementTimeoutMs: number) => statementTimeoutMs + Math.min(statementTimeoutMs, 5000)

/** A pool that is bounded in every way, survives lost connections, and says what is wrong with one. */
export function createPool(settings: Settings, target: string, limits: PoolLimits): PostgresPool {
  const pool = new pg.Pool({
    connectionString: settings.url,
    fallback_application_name: settings.applicationName,
    max: limits.connections,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    idleTimeoutMillis: settings.idleTimeoutMs,
    maxLifetimeSeconds: settings.maxLifetimeSeconds,
    keepAlive: true,
    types: createTypeOverrides(),
    ...(limits.timeouts && {
      statement_timeout: settings.statementTimeoutMs,
      idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs,
      query_timeout: readTimeoutMs(settings.statementTimeoutMs),
    }),
  })
  // Without a listener a client that breaks while it is lent would end the process; whoever has it gets the error.
  pool.on('connect', (client) => client.on('error', () => undefined))
  let ending: Promise<void> | undefined
  pool.on('error', (error) => {
    if (ending === undefined) settings.onConnectionLost(connectionLost(error, target))
  })

  return {
    options: {},
    async connect() {
      if (pool.waitingCount >= settings.maxWaiting) {
        throw unavailable(new PostgresConnectionError('POOL_EXHAUSTED', 'Too many wait for a connection'))
      }
      try {
        return lend(await pool.connect(), target)
      } catch (error) {
        throw unavailable(cannotConnect(error, target))
      }
    },
    end: () => (ending ??= pool.end()),
  }
}

function lend(client: pg.PoolClient, target: string): PostgresPoolClient {
  async function run<Row>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    try {
      return (await client.query(text, [...parameters])) as unknown as PostgresQueryResult<Row>
    } catch (error) {
      if (!isConnectionLoss(error)) throw error
      // A statement that was given up on may still run: nobody else gets this connection.
      void client.end()
      throw unavailable(connectionLost(error, target))
    }
  }
  return {
    query: run as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(destroy)
    },
  }
}
