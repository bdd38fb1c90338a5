import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { cannotConnect, connectionLost, PostgresConnectionError } from './errors.ts'
import { openListening } from './listening.ts'
import { settingsOf, type OwnPoolOptions, type PostgresOptions, type Settings } from './options.ts'
import { clientConfig, lendingPool, ownPool, quietenPool } from './pool.ts'
import type { SharedClient, SharedPool } from './shared-pool.ts'
import { describePool, describeTarget } from './target.ts'
import { createWakeUps, noWakeUps, type WakeUps } from './wake-ups.ts'

/** The connections of a database. */
export interface Connections {
  readonly settings: Settings
  readonly pool: PostgresPool
  /** Creates a pool without timeouts, whose connections are not reused. */
  readonly migrationPool: () => PostgresPool
  readonly wakeUps: WakeUps
}

export function openConnections(options: PostgresOptions): Connections {
  return options.pool === undefined ? byUrl(options) : byPool(options, options.pool)
}

function byUrl(options: OwnPoolOptions): Connections {
  const settings = settingsOf(options)
  const { url } = options
  const target = describeTarget(url)
  const { maxWaiting, statementTimeoutMs } = settings
  const lent = (own: pg.Pool, timeoutMs: number | undefined) =>
    lendingPool(own, {
      ...{ target, maxWaiting, statementTimeoutMs: timeoutMs, discard: false },
      end: () => own.end(),
    })
  const limits = { connections: settings.maxConnections, timeouts: true }
  return {
    settings,
    pool: lent(ownPool(url, settings, target, limits), statementTimeoutMs),
    migrationPool: () => lent(ownPool(url, settings, target, { connections: 1, timeouts: false }), undefined),
    wakeUps: wakeUpsOver(settings, target, () => ownClient(url, settings)),
  }
}

function byPool(options: PostgresOptions, shared: SharedPool): Connections {
  const settings = settingsOf(options)
  const target = describePool(shared)
  quietenPool(shared)
  const { maxWaiting, statementTimeoutMs } = settings
  const lent = (timeoutMs: number | undefined, discard: boolean) =>
    lendingPool(shared, {
      ...{ target, maxWaiting, statementTimeoutMs: timeoutMs, discard },
      end: () => Promise.resolve(),
    })
  return {
    settings,
    pool: lent(statementTimeoutMs, false),
    migrationPool: () => lent(undefined, true),
    // Listening would take the only connection.
    wakeUps: settings.maxConnections > 1 ? wakeUpsOver(settings, target, () => shared.connect()) : noWakeUps,
  }
}

function wakeUpsOver(settings: Settings, target: string, connect: () => Promise<SharedClient>): WakeUps {
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
