import { setTimeout as sleep } from 'node:timers/promises'
import { createBus, type NatsBus, type NatsBusOptions } from './bus.ts'
import { openConnection, type ConnectionHooks } from './connection.ts'
import { requireTimers } from './options.ts'
import { createQueue, type NatsQueue, type NatsQueueOptions } from './queue.ts'
import { readAddress } from './server-address.ts'

export interface NatsOptions extends ConnectionHooks {
  /** `nats://host:4222`, with `user:password@` or `token@` where the server asks for one; `tls://` insists on TLS. */
  readonly url: string
  /** How long one attempt to connect may take, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /** How long to wait between two attempts to connect, in milliseconds. @default 1,000 */
  readonly retryMs?: number
  /** How long one request to the server may take, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** How long `close` may take, in milliseconds, when the server does not answer any more. @default 5,000 */
  readonly closeTimeoutMs?: number
}

/** A connection to NATS, and what stands on it. */
export interface Nats {
  /**
   * Events on a stream.
   *
   * @throws TypeError for a number out of range, and a prefix that no subject has
   */
  bus(options?: NatsBusOptions): NatsBus
  /**
   * A shared queue on a stream of its own.
   *
   * @throws TypeError for a number out of range, and a prefix that no subject has
   */
  queue(options?: NatsQueueOptions): NatsQueue
  /** Closes every bus and queue of it, sends what waits to be sent, and ends the connection. */
  close(): Promise<void>
}

/**
 * Opens a connection to a NATS server with JetStream, in the background: while the server is away, everything fails as
 * something that may be tried again, and `ping` of a bus or a queue says why.
 *
 * @throws TypeError when the address is none, or a time is no whole number of milliseconds that a timer can wait
 *
 * @example
 * ```ts
 * import { openNats } from '@sallyport/nats'
 * import { createDispatcher, memoryInbox } from '@sallyport/webhooks'
 *
 * const nats = openNats({ url: 'nats://127.0.0.1:4222' })
 * const bus = nats.bus({ stream: 'SALLYPORT' })
 * const dispatcher = createDispatcher({ inbox: memoryInbox(), publisher: bus })
 * ```
 *
 * @see https://docs.nats.io/nats-concepts/jetstream
 */
export function openNats(options: NatsOptions): Nats {
  const { url, connectTimeoutMs = 5000, retryMs = 1000, timeoutMs = 5000, closeTimeoutMs = 5000 } = options
  requireTimers({ connectTimeoutMs, retryMs, timeoutMs, closeTimeoutMs })
  const connection = openConnection(readAddress(url), { connectTimeoutMs, retryMs }, options)
  const opened = new Set<{ close(): Promise<void> }>()
  const keep = <One extends NatsBus | NatsQueue>(one: One): One => {
    opened.add(one)
    return { ...one, close: () => one.close().finally(() => opened.delete(one)) }
  }
  return {
    bus: (busOptions = {}) => keep(createBus(connection, timeoutMs, busOptions)),
    queue: (queueOptions = {}) => keep(createQueue(connection, timeoutMs, queueOptions)),
    async close() {
      const patience = new AbortController()
      const impatience = sleep(closeTimeoutMs, undefined, { signal: patience.signal })
      const closed = Promise.all(Array.from(opened, (one) => one.close())).then(() => connection.drain())
      await Promise.race([closed, impatience])
      patience.abort()
      await impatience.catch(() => undefined)
      await connection.close()
    },
  }
}
