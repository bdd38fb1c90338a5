import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, TimeoutError, type NatsConnection } from '@nats-io/transport-node'
import { SallyportError } from '@sallyport/errors'
import { awaitFirstWord } from './first-word.ts'
import type { ServerAddress } from './server-address.ts'
import { tell } from './tell.ts'

export interface ConnectionHooks {
  /** Told once when the server does not answer, at the start too, or is gone. */
  readonly onUnavailable?: (error: unknown) => unknown
  /** Told when it answers, for the first time or again. */
  readonly onAvailable?: () => unknown
}

export interface Connection {
  /** Rejects while the server is away; waits for the end of the first attempt to connect, and for no other. */
  current(): Promise<NatsConnection>
  /** Sends what waits to be sent; nothing while the server is away. */
  drain(): Promise<void>
  /** Ends. */
  close(): Promise<void>
}

/** A server that nobody hears from for three of these is gone. */
const pingIntervalMs = 10_000

/** Connects in the background, for as long as it takes, and again whenever the connection is lost. */
export function openConnection(
  { host, place, options }: ServerAddress,
  { connectTimeoutMs, retryMs }: { readonly connectTimeoutMs: number; readonly retryMs: number },
  { onUnavailable, onAvailable }: ConnectionHooks,
): Connection {
  const closing = new AbortController()
  const attempted = Promise.withResolvers<undefined>()
  let connection: NatsConnection | undefined
  let connected = false
  let told: 'away' | 'back' | undefined
  let reason: unknown
  let timedOut = false

  function away(error: unknown): void {
    connected = false
    reason = error
    if (closing.signal.aborted || told === 'away') return
    told = 'away'
    tell(() => onUnavailable?.(error))
  }

  function back(): void {
    connected = true
    told = 'back'
    tell(() => onAvailable?.())
  }

  async function watch(opened: NatsConnection): Promise<void> {
    for await (const { type } of opened.status()) {
      if (type === 'disconnect') away(new Error('The connection is lost'))
      else if (type === 'reconnect') back()
    }
  }

  /** An attempt of the library's that times out leaves a socket: it makes no more of them before somebody speaks. */
  async function awaitServer(): Promise<void> {
    const found = await lookup(place.host, { all: true })
    const addresses = found.map(({ address }) => address)
    await awaitFirstWord(addresses, place.port, connectTimeoutMs, closing.signal)
  }

  async function connectOnce(): Promise<void> {
    if (timedOut) await awaitServer()
    const opened = await connect({
      ...options,
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
    back()
    attempted.resolve(undefined)
    void watch(opened)
    const error = await opened.closed()
    away(error ?? new Error('The connection is closed'))
  }

  async function keepConnecting(): Promise<void> {
    while (!closing.signal.aborted) {
      await connectOnce().catch(away)
      attempted.resolve(undefined)
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  void keepConnecting()

  return {
    async current() {
      await attempted.promise
      if (closing.signal.aborted)
        throw new SallyportError('SERVICE_UNAVAILABLE', 'The connection to NATS is closed: open another')
      if (connection === undefined || !connected)
        throw new SallyportError(
          'SERVICE_UNAVAILABLE',
          `NATS at ${host} does not answer: see whether it runs`,
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

/** The library ends a connection that it has, but not one that it is making anew: that one waits for its server's word. */
function discardAttempt(connection: NatsConnection | undefined): void {
  const { protocol } = Object(connection) as {
    readonly protocol?: { readonly transport?: { discard?(): void } }
  }
  protocol?.transport?.discard?.()
}
