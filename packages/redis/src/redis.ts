import { setTimeout as sleep } from 'node:timers/promises'
import type { FailureLimiter } from '@sallyport/webhooks'
import { maxTimerMs } from '@sallyport/internal/deadline'
import { checkIntegers } from '@sallyport/internal/options'
import { createBus, type RedisBus, type RedisBusOptions } from './bus.ts'
import { openConnection, type RedisClientHooks } from './connection.ts'
import { createFailureLimiter, type RedisFailureLimiterOptions } from './failure-limiter.ts'
import { createQueue, type RedisQueue, type RedisQueueOptions } from './queue.ts'
import { readAddress } from './server-address.ts'

export interface RedisClientOptions extends RedisClientHooks {
  /**
   * `redis://user:password@host:6379/0`; everything except the host is optional. `rediss://` uses TLS. The last number
   * selects the database. Nothing is written while the server refuses to select it.
   */
  readonly url: string
  /** Timeout of one attempt to connect, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /** Delay between two attempts to connect, in milliseconds. @default 1,000 */
  readonly retryMs?: number
  /** Timeout of one command, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** Timeout of `close`, in milliseconds. @default 5,000 */
  readonly closeTimeoutMs?: number
}

/** A connection to Redis, with the publishers, queues and limiters that use it. */
export interface RedisClient {
  /**
   * Creates a publisher on a stream.
   *
   * @throws TypeError if a number is out of range
   */
  bus(options?: RedisBusOptions): RedisBus
  /**
   * Creates a shared queue on BullMQ.
   *
   * @throws TypeError if a number is out of range
   */
  queue(options?: RedisQueueOptions): RedisQueue
  /**
   * Creates a failure limiter that replicas share. IPv6 addresses are counted per /64 network.
   *
   * @throws TypeError if a number is out of range or the window is not a whole number of seconds
   */
  failureLimiter(options?: RedisFailureLimiterOptions): FailureLimiter
  /** Closes all buses and queues after their running calls, then disconnects. */
  close(): Promise<void>
}

/**
 * Opens a connection to a Redis server in the background. While the server is unavailable, every call fails with a
 * retryable error, and `ping` of a bus or queue rejects with the reason.
 *
 * @throws TypeError if the URL is invalid or a time is not a valid timer delay
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
export function openRedis(options: RedisClientOptions): RedisClient {
  const { url, connectTimeoutMs = 5000, retryMs = 1000, timeoutMs = 5000, closeTimeoutMs = 5000 } = options
  checkIntegers({ connectTimeoutMs, retryMs, timeoutMs, closeTimeoutMs }, 1, maxTimerMs)
  const connection = openConnection(readAddress(url), { connectTimeoutMs, retryMs, timeoutMs }, options)
  const opened = new Set<{ close(): Promise<void> }>()
  const register = <One extends RedisBus | RedisQueue>(one: One): One => {
    opened.add(one)
    return { ...one, close: () => one.close().finally(() => opened.delete(one)) }
  }
  return {
    bus: (busOptions = {}) => register(createBus(connection, busOptions)),
    queue: (queueOptions = {}) => register(createQueue(connection, queueOptions)),
    failureLimiter: (limiterOptions = {}) => createFailureLimiter(connection, limiterOptions),
    async close() {
      const timer = new AbortController()
      const timeout = sleep(closeTimeoutMs, undefined, { signal: timer.signal })
      await Promise.race([Promise.all(Array.from(opened, (one) => one.close())), timeout])
      timer.abort()
      await timeout.catch(() => undefined)
      connection.close()
    },
  }
}
