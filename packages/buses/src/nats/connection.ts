import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, TimeoutError, type NatsConnection } from '@nats-io/transport-node'
import { SallyportError } from '@sallyport/errors'
import { callHook } from '@sallyport/internal/promises'
import type { ClientHooks } from '../client/options.ts'
import { probeServer } from './probe.ts'
import { createAuthentication, type NatsAuthentication } from './authentication.ts'
import type { ServerAddress } from './server-address.ts'

export interface Connection {
  /** Returns the open connection. Waits for the first attempt to connect; rejects while the server is unavailable. */
  getConnection(): Promise<NatsConnection>
  /** Sends buffered messages; does nothing while the server is unavailable. */
  drain(): Promise<void>
  /** Closes the connection. */
  close(): Promise<void>
}

/** A connection without traffic for three ping intervals counts as lost. */
const pingIntervalMs = 10_000

/** Connects in the background and reconnects whenever the connection is lost. */
export function openConnection(
  { hostAndPort, endpoints, options }: ServerAddress,
  settings: NatsAuthentication & { readonly connectTimeoutMs: number; readonly retryMs: number },
  { onUnavailable, onAvailable }: ClientHooks,
): Connection {
  const { connectTimeoutMs, retryMs } = settings
  const authentication = createAuthentication(settings)
  const closing = new AbortController()
  const attempted = Promise.withResolvers<undefined>()
  let connection: NatsConnection | undefined
  let connected = false
  let reported: 'unavailable' | 'available' | undefined
  let reason: unknown
  let timedOut = false

  function reportUnavailable(error: unknown): void {
    connected = false
    reason = error
    if (closing.signal.aborted || reported === 'unavailable') return
    reported = 'unavailable'
    callHook(onUnavailable, error)
  }

  function reportAvailable(): void {
    connected = true
    reported = 'available'
    callHook(onAvailable)
  }

  async function watch(opened: NatsConnection): Promise<void> {
    for await (const { type } of opened.status()) {
      if (type === 'disconnect') reportUnavailable(new Error('The connection is lost'))
      else if (type === 'reconnect') reportAvailable()
    }
  }

  /** Probes the servers after a timeout, because every attempt of the library that times out leaks a socket. */
  async function probeAddresses(): Promise<void> {
    const found = await Promise.all(
      endpoints.map(async ({ host, port }) =>
        (await lookup(host, { all: true })).map(({ address }) => ({ host: address, port })),
      ),
    )
    await probeServer(found.flat(), connectTimeoutMs, closing.signal)
  }

  async function connectOnce(): Promise<void> {
    if (timedOut) await probeAddresses()
    const opened = await connect({
      ...options,
      ...authentication,
      ...{ name: 'sallyport', timeout: connectTimeoutMs, pingInterval: pingIntervalMs },
      ...{ maxReconnectAttempts: -1, reconnectTimeWait: retryMs, ignoreAuthErrorAbort: true },
    }).catch((error: unknown) => {
      timedOut = error instanceof TimeoutError
      throw error
    })
    timedOut = false
    if (closing.signal.aborted) {
      await opened.close()
      return
    }
    connection = opened
    reportAvailable()
    attempted.resolve(undefined)
    void watch(opened)
    const error = await opened.closed()
    reportUnavailable(error ?? new Error('The connection is closed'))
  }

  async function reconnectUntilClosed(): Promise<void> {
    while (!closing.signal.aborted) {
      await connectOnce().catch(reportUnavailable)
      attempted.resolve(undefined)
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  void reconnectUntilClosed()

  return {
    async getConnection() {
      await attempted.promise
      if (closing.signal.aborted)
        throw new SallyportError('SERVICE_UNAVAILABLE', 'The connection to NATS is closed: open another')
      if (connection === undefined || !connected)
        throw new SallyportError(
          'SERVICE_UNAVAILABLE',
          `NATS at ${hostAndPort} does not answer: check that the server is running`,
          {
            cause: reason,
          },
        )
      return connection
    },
    async drain() {
      if (connected) await connection?.flush().catch(() => undefined)
    },
    async close() {
      closing.abort()
      attempted.resolve(undefined)
      await connection?.close()
      discardAttempt(connection)
    },
  }
}

/** Uses a connection of the application, and never closes it. */
export function useConnection(connection: NatsConnection): Connection {
  return {
    getConnection: () =>
      new Promise((resolve) => {
        if (connection.isClosed() || connection.isDraining())
          throw new SallyportError(
            'SERVICE_UNAVAILABLE',
            'The application has closed its connection to NATS: open another',
          )
        resolve(connection)
      }),
    drain: () => connection.flush().catch(() => undefined),
    close: () => Promise.resolve(),
  }
}

/** Closes a connection that is reconnecting. The library's `close` leaves such a socket open. */
function discardAttempt(connection: NatsConnection | undefined): void {
  const { protocol } = Object(connection) as {
    readonly protocol?: { readonly transport?: { discard?(): void } }
  }
  protocol?.transport?.discard?.()
}
