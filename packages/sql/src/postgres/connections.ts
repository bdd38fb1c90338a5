import type { OperationTracker } from '@sallyport/internal/operation-tracker'
import { postponedMs } from '@sallyport/internal/postponed'
import type { Kysely, PostgresPool } from 'kysely'
import pg from 'pg'
import type { Bodies } from '../bodies/bodies.ts'
import type { BodyEvents } from '../internal/event-json.ts'
import type { ReadHashes } from '../encryption/value-hashes.ts'
import type { Vault } from '../encryption/vault.ts'
import type { SchemaCheck } from '../internal/schema-check.ts'
import type { InboxTables } from '../internal/tables.ts'
import { cannotConnect, connectionLost, findConnectionError, PostgresConnectionError } from './errors.ts'
import { limitConnections } from './limit-connections.ts'
import { openListening } from './listening.ts'
import { resolveSettings, type OwnPoolOptions, type PostgresOptions, type Settings } from './options.ts'
import { clientConfig, adaptPool, ownPool, ignorePoolErrors } from './pool.ts'
import type { SharedClient, SharedPool } from './shared-pool.ts'
import { createWakeUps, noWakeUps, type WakeUps } from './wake-ups.ts'

/** The parts that the inboxes, buses and queues of a database share. */
export interface Storage {
  readonly kysely: Kysely<InboxTables>
  /** Database operations that finish before the connections close. */
  readonly operations: OperationTracker
  readonly maxConnections: number
  readonly wakeUps: WakeUps
  readonly bodyEvents: BodyEvents
  readonly schema: SchemaCheck
  readonly vault: Vault
  readonly bodies: Bodies
  readonly readHashes: ReadHashes
}

/** The connections of a database. */
export interface Connections {
  readonly settings: Settings
  readonly pool: PostgresPool
  /** The connections of handlers. */
  readonly handlerPool: PostgresPool
  /** Creates a pool without timeouts, whose connections are not reused. */
  readonly migrationPool: () => PostgresPool
  readonly wakeUps: WakeUps
}

export function openConnections(options: PostgresOptions): Connections {
  return options.pool === undefined ? openOwnPool(options) : useSharedPool(options, options.pool)
}

function openOwnPool(options: OwnPoolOptions): Connections {
  const settings = resolveSettings(options)
  const { url } = options
  const target = describeTarget(url)
  const { maxWaiting, statementTimeoutMs } = settings
  const adapt = (own: pg.Pool, timeoutMs: number | undefined) =>
    adaptPool(own, {
      ...{ target, maxWaiting, statementTimeoutMs: timeoutMs, discard: false },
      end: () => own.end(),
    })
  const open = (connections: number) =>
    adapt(ownPool(url, settings, target, { connections, timeouts: true }), statementTimeoutMs)
  return {
    settings,
    pool: open(settings.maxConnections),
    handlerPool: postponing(open(settings.handlerConnections)),
    migrationPool: () =>
      adapt(ownPool(url, settings, target, { connections: 1, timeouts: false }), undefined),
    wakeUps: openWakeUps(settings, target, () => ownClient(url, settings)),
  }
}

function useSharedPool(options: PostgresOptions, shared: SharedPool): Connections {
  const settings = resolveSettings(options)
  const target = describePool(shared)
  ignorePoolErrors(shared)
  const { maxWaiting, statementTimeoutMs } = settings
  const adapt = (timeoutMs: number | undefined, discard: boolean) =>
    adaptPool(shared, {
      ...{ target, maxWaiting, statementTimeoutMs: timeoutMs, discard },
      end: () => Promise.resolve(),
    })
  const pool = adapt(statementTimeoutMs, false)
  return {
    settings,
    pool,
    handlerPool: postponing(
      limitConnections(pool, {
        connections: settings.handlerConnections,
        ...{ maxWaiting, waitTimeoutMs: settings.connectTimeoutMs },
      }),
    ),
    migrationPool: () => adapt(undefined, true),
    // Listening would take the only connection.
    wakeUps: settings.maxConnections > 1 ? openWakeUps(settings, target, () => shared.connect()) : noWakeUps,
  }
}

/** How long an event waits whose handler gets no connection, in milliseconds. */
const noConnectionMs = 1000

/** Marks the errors of handlers that get no connection, because the other handlers have all: they have made no attempt. */
const postponing = (pool: PostgresPool): PostgresPool => ({
  options: pool.options,
  async connect() {
    try {
      return await pool.connect()
    } catch (error) {
      if (findConnectionError(error)?.code !== 'POOL_EXHAUSTED') throw error
      throw Object.assign(error as Error, { [postponedMs]: noConnectionMs })
    }
  },
  end: () => pool.end(),
})

function openWakeUps(settings: Settings, target: string, connect: () => Promise<SharedClient>): WakeUps {
  const { schema, statementTimeoutMs: timeoutMs, wakeUps, onConnectionLost } = settings
  if (!wakeUps) return noWakeUps
  const connecting = () =>
    connect().catch((error: unknown) => {
      throw cannotConnect(error, target)
    })
  return createWakeUps({
    open: (hear) => openListening({ connect: connecting, schema, timeoutMs }, hear),
    onLost: (error) => {
      onConnectionLost(error instanceof PostgresConnectionError ? error : connectionLost(error, target))
    },
  })
}

async function ownClient(url: string, settings: Settings): Promise<SharedClient> {
  const client = new pg.Client(clientConfig(url, settings, true))
  // `openListening` adds its own listener later.
  client.on('error', () => undefined)
  await client.connect()
  // An idle listening connection must not keep the process alive, like those of a pool.
  ;(client as unknown as { unref(): void }).unref()
  return Object.assign(client, {
    release: () => {
      void client.end()
    },
  })
}

/**
 * Describes the target of a URL, without the password.
 *
 * @throws TypeError for an invalid URL; the message does not contain it
 */
function describeTarget(url: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new TypeError(`The URL of the database is invalid: ${expected}`)
  return describe(parse(url))
}

/** Describes the target of a pool, without the password. */
function describePool({ options = {} }: SharedPool): string {
  return describe(new pg.Client(options as pg.ClientConfig))
}

const describe = ({ host, port, database = '', user = '' }: pg.Client) =>
  `${host}:${port}/${database}${user === '' ? ', without a user' : ` as ${user}`}`

const expected =
  'postgres://user:password@host:5432/database is expected, with special characters percent-encoded'

function parse(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url })
  } catch (error) {
    // The error of an invalid URL contains the whole URL. A URL may also name a file that cannot be read.
    const { code, path } = error as NodeJS.ErrnoException
    if (path === undefined) throw new TypeError(`The URL of the database cannot be read: ${expected}`)
    throw new TypeError(`The URL of the database names a file that cannot be read: ${path} (${code ?? ''})`)
  }
}
