import type { ConnectionOptions as TlsOptions } from 'node:tls'
import type { Cluster, Redis } from 'ioredis'
import type { AnyProvider, FailureLimiter } from '@sallyport/webhooks'
import type { Consumer } from '@sallyport/webhooks/consumer'
import { maxTimerMs, waitAtMost } from '@sallyport/internal/deadline'
import { checkIntegers } from '@sallyport/internal/options'
import { createBus, type RedisBus, type RedisBusOptions } from './bus.ts'
import { openConnection, type Connection, type RedisClientHooks } from './connection.ts'
import { createRedisConsumer, type RedisConsumerOptions } from './consumer.ts'
import { duplicateClient, useClient } from './existing-client.ts'
import { createFailureLimiter, type RedisFailureLimiterOptions } from './failure-limiter.ts'
import { readAddress, withTls } from './server-address.ts'

interface Timeouts {
  /** Timeout of one command, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** Timeout of `close`, in milliseconds. @default 5,000 */
  readonly closeTimeoutMs?: number
}

/** The server to connect to. */
interface RedisServerOptions extends Timeouts, RedisClientHooks {
  /**
   * `redis://user:password@host:6379/0`; everything except the host is optional. `rediss://` uses TLS. The last number
   * selects the database. Nothing is written while the server refuses to select it.
   */
  readonly url: string
  /** TLS options for `rediss`: certificate authorities (`ca`), or a client certificate and its key. */
  readonly tls?: TlsOptions
  /** Timeout of one attempt to connect, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /** Delay between two attempts to connect, in milliseconds. @default 1,000 */
  readonly retryMs?: number
}

/** A client of the application. */
interface RedisExistingClientOptions extends Timeouts {
  /**
   * A `Redis` client of ioredis, also one that finds the primary by Sentinel, or a `Cluster`. It reconnects by its own options, its
   * own `commandTimeout` applies, and `close` leaves it open. Consumers open further connections with its options.
   */
  readonly client: Redis | Cluster
}

export type RedisClientOptions = RedisServerOptions | RedisExistingClientOptions

/** A connection to Redis, with the publishers, consumers and limiters that use it. */
export interface RedisClient {
  /**
   * Creates a publisher on a stream.
   *
   * @throws TypeError if a number is out of range
   */
  bus(options?: RedisBusOptions): RedisBus
  /**
   * Creates a consumer on a stream, as a consumer group with the name of the options. Dead letters go to the stream
   * `<stream>:dead:<name>` with the fields `reason` and `entry`, the last 100,000 of them.
   *
   * @throws TypeError if an option is out of range or a handler is not a function
   *
   * @example
   * ```ts
   * import type { github } from '@sallyport/providers/github'
   * import { openRedis } from '@sallyport/buses/redis'
   * import { openPostgres } from '@sallyport/sql/postgres'
   * import type { WithPayloads } from '@sallyport/webhooks'
   *
   * type GitHub = WithPayloads<typeof github, { push: { repository: { full_name: string } } }>
   *
   * const database = await openPostgres({ url: process.env.DATABASE_URL ?? '' })
   * const redis = openRedis({ url: 'redis://127.0.0.1:6379' })
   *
   * const consumer = redis.consumer<[GitHub]>({
   *   name: 'builds',
   *   handlers: {
   *     'github/push': database.once('builds', ({ data }) => (transaction) => {
   *       const db = transaction.$extendTables<{ builds: { repository: string } }>()
   *       return db.insertInto('builds').values({ repository: data.repository.full_name }).execute()
   *     }),
   *   },
   * })
   * await consumer.start()
   * ```
   */
  consumer<Providers extends readonly AnyProvider[] = readonly AnyProvider[]>(
    options: RedisConsumerOptions<Providers>,
  ): Consumer
  /**
   * Creates a failure limiter that replicas share. IPv6 addresses are counted per /64 network.
   *
   * @throws TypeError if a number is out of range or the window is not a whole number of seconds
   */
  failureLimiter(options?: RedisFailureLimiterOptions): FailureLimiter
  /** Stops all consumers, closes all buses after their running calls, then disconnects. */
  close(): Promise<void>
}

/**
 * Opens a connection to a Redis server in the background, or uses a client of the application. While the server is unavailable, every call fails with a
 * retryable error, and `ping` of a bus rejects with the reason.
 *
 * @throws TypeError if the URL is invalid, `tls` has a URL without TLS, or a time is not a valid timer delay
 *
 * @example
 * ```ts
 * import { openRedis } from '@sallyport/buses/redis'
 * import { createDispatcher, createMemoryInbox } from '@sallyport/webhooks'
 *
 * const redis = openRedis({ url: 'redis://127.0.0.1:6379' })
 * const bus = redis.bus({ stream: 'sallyport' })
 * const dispatcher = createDispatcher({ inbox: createMemoryInbox(), publisher: bus })
 * ```
 *
 * @see https://redis.io/docs/latest/develop/data-types/streams/
 */
export function openRedis(options: RedisClientOptions): RedisClient {
  const { timeoutMs = 5000, closeTimeoutMs = 5000 } = options
  checkIntegers({ timeoutMs, closeTimeoutMs }, 1, maxTimerMs)
  const { connection, openBlocking } =
    'client' in options ? share(options.client, timeoutMs) : connect(options, timeoutMs)
  const opened = new Set<{ close(): Promise<void> }>()
  return {
    bus(busOptions = {}) {
      const bus = createBus(connection, busOptions)
      opened.add(bus)
      return { ...bus, close: () => bus.close().finally(() => opened.delete(bus)) }
    },
    consumer(consumerOptions) {
      const consumer = createRedisConsumer(connection, openBlocking, timeoutMs, consumerOptions)
      const handle = { close: () => consumer.stop() }
      opened.add(handle)
      return { ...consumer, stop: () => consumer.stop().finally(() => opened.delete(handle)) }
    },
    failureLimiter: (limiterOptions = {}) => createFailureLimiter(connection, limiterOptions),
    async close() {
      await waitAtMost(closeTimeoutMs, Promise.all(Array.from(opened, (one) => one.close())))
      connection.close()
    },
  }
}

interface Connections {
  readonly connection: Connection
  /** Opens a connection for commands that wait. */
  readonly openBlocking: () => Connection
}

function connect(options: RedisServerOptions, timeoutMs: number): Connections {
  const { url, tls, connectTimeoutMs = 5000, retryMs = 1000 } = options
  checkIntegers({ connectTimeoutMs, retryMs }, 1, maxTimerMs)
  const address = withTls(readAddress(url), tls)
  const times = { connectTimeoutMs, retryMs, timeoutMs }
  const connection = openConnection(address, times, options)
  return {
    connection,
    openBlocking: () => openConnection(address, times, {}),
  }
}

function share(client: Redis | Cluster, timeoutMs: number): Connections {
  return {
    connection: useClient(client),
    openBlocking: () => duplicateClient(client, timeoutMs),
  }
}
