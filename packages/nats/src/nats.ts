import { setTimeout as sleep } from 'node:timers/promises'
import { createBus, type NatsBus, type NatsBusOptions } from './bus.ts'
import { openConnection, type NatsClientHooks } from './connection.ts'
import { requireTimers } from './options.ts'
import { createQueue, type NatsQueue, type NatsQueueOptions } from './queue.ts'
import { readAddress } from './server-address.ts'

export interface NatsClientOptions extends NatsClientHooks {
  /** `nats://host:4222`, optionally with `user:password@` or `token@`; `tls://` requires TLS. */
  readonly url: string
  /** Timeout of one attempt to connect, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /** Delay between two attempts to connect, in milliseconds. @default 1,000 */
  readonly retryMs?: number
  /** Timeout of one request to the server, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** Timeout of `close`, in milliseconds. @default 5,000 */
  readonly closeTimeoutMs?: number
}

/** A connection to NATS, with the publishers and queues that use it. */
export interface NatsClient {
  /**
   * Creates a publisher on a stream.
   *
   * @throws TypeError if a number is out of range or the prefix is not a valid subject
   */
  bus(options?: NatsBusOptions): NatsBus
  /**
   * Creates a shared queue on a separate stream.
   *
   * @throws TypeError if a number is out of range or the prefix is not a valid subject
   */
  queue(options?: NatsQueueOptions): NatsQueue
  /** Closes all buses and queues after their running calls, sends buffered messages, then disconnects. */
  close(): Promise<void>
}

/**
 * Opens a connection to a NATS server with JetStream in the background. While the server is unavailable, every call fails
 * with a retryable error, and `ping` of a bus or queue rejects with the reason.
 *
 * @throws TypeError if the URL is invalid or a time is not a valid timer delay
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
export function openNats(options: NatsClientOptions): NatsClient {
  const { url, connectTimeoutMs = 5000, retryMs = 1000, timeoutMs = 5000, closeTimeoutMs = 5000 } = options
  requireTimers({ connectTimeoutMs, retryMs, timeoutMs, closeTimeoutMs })
  const connection = openConnection(readAddress(url), { connectTimeoutMs, retryMs }, options)
  const opened = new Set<{ close(): Promise<void> }>()
  const register = <One extends NatsBus | NatsQueue>(one: One): One => {
    opened.add(one)
    return { ...one, close: () => one.close().finally(() => opened.delete(one)) }
  }
  return {
    bus: (busOptions = {}) => register(createBus(connection, timeoutMs, busOptions)),
    queue: (queueOptions = {}) => register(createQueue(connection, timeoutMs, queueOptions)),
    async close() {
      const timer = new AbortController()
      const timeout = sleep(closeTimeoutMs, undefined, { signal: timer.signal })
      const closed = Promise.all(Array.from(opened, (one) => one.close())).then(() => connection.drain())
      await Promise.race([closed, timeout])
      timer.abort()
      await timeout.catch(() => undefined)
      await connection.close()
    },
  }
}
