import { setTimeout as sleep } from 'node:timers/promises'
import type { FailureLimiter } from '@sallyport/webhooks'
import { createBus, type RedisBus, type RedisBusOptions } from './bus.ts'
import { openConnection, type ConnectionHooks } from './connection.ts'
import { createFailureLimiter, type RedisFailureLimiterOptions } from './failure-limiter.ts'
import { requireTimers } from './options.ts'
import { createQueue, type RedisQueue, type RedisQueueOptions } from './queue.ts'
import { readAddress } from './server-address.ts'

export interface RedisOptions extends ConnectionHooks {
  /**
   * `redis://user:password@host:6379/0`, where everything but the host may be left out; `rediss://` is for TLS. The number
   * is of the database; nothing is written while the server refuses to select it.
   */
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

/** A connection to Redis, and what stands on it. */
export interface Redis {
  /**
   * Events on a stream.
   *
   * @throws TypeError for a number out of range
   */
  bus(options?: RedisBusOptions): RedisBus
  /**
   * A shared queue of BullMQ.
   *
   * @throws TypeError for a number out of range
   */
  queue(options?: RedisQueueOptions): RedisQueue
  /**
   * Counts of failures that replicas share. An IPv6 client is counted by its /64.
   *
   * @throws TypeError for a number out of range, and when the window is not in whole seconds
   */
  failureLimiter(options?: RedisFailureLimiterOptions): FailureLimiter
  /** Closes every bus and queue of it, finishes what is under way, and ends the connection. */
  close(): Promise<void>
}

/**
 * Opens a connection to a Redis server, in the background: while the server is away, everything fails as something that
 * may be tried again, and `ping` of a bus or a queue says why.
 *
 * @throws TypeError when the address is none, or a time is no whole number of milliseconds that a timer can wait
 *
 * @example
 * ```ts
 * import { openRedis } from '@sallyport/redis'
 * import { createDispatcher, memoryInbox } from '@sallyport/webhooks'
 *
 * const redis = openRedis({ url: 'redis://127.0.0.1:6379' })
 * const bus = redis.bus({ stream: 'sallyport' })
 * const dispatcher = createDispatcher({ inbox: memoryInbox(), publisher: bus })
 * ```
 *
 * @see https://redis.io/docs/latest/develop/data-types/streams/
 */
export function openRedis(options: RedisOptions): Redis {
  const { url, connectTimeoutMs = 5000, retryMs = 1000, timeoutMs = 5000, closeTimeoutMs = 5000 } = options
  requireTimers({ connectTimeoutMs, retryMs, timeoutMs, closeTimeoutMs })
  const connection = openConnection(readAddress(url), { connectTimeoutMs, retryMs, timeoutMs }, options)
  const opened = new Set<{ close(): Promise<void> }>()
  const keep = <One extends RedisBus | RedisQueue>(one: One): One => {
    opened.add(one)
    return { ...one, close: () => one.close().finally(() => opened.delete(one)) }
  }
  return {
    bus: (busOptions = {}) => keep(createBus(connection, busOptions)),
    queue: (queueOptions = {}) => keep(createQueue(connection, queueOptions)),
    failureLimiter: (limiterOptions = {}) => createFailureLimiter(connection, limiterOptions),
    async close() {
      const patience = new AbortController()
      const impatience = sleep(closeTimeoutMs, undefined, { signal: patience.signal })
      await Promise.race([Promise.all(Array.from(opened, (one) => one.close())), impatience])
      patience.abort()
      await impatience.catch(() => undefined)
      connection.close()
    },
  }
}
