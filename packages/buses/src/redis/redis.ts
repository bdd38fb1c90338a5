import type { ConnectionOptions as TlsOptions } from 'node:tls'
import type { Cluster, Redis } from 'ioredis'
import type { AnyProvider, FailureLimiter } from '@sallyport/webhooks'
import type { Consumer } from '@sallyport/webhooks/consumer'
import { maxTimerMs, waitAtMost } from '@sallyport/internal/deadline'
import { checkIntegers } from '@sallyport/internal/options'
import { createOpened } from '../client/opened.ts'
import type { ClientHooks, ClientTimeouts, ConnectTimes } from '../client/options.ts'
import { createBus, type RedisBus, type RedisBusOptions } from './bus.ts'
import { openConnection, type Connection } from './connection.ts'
import { createRedisConsumer, type RedisConsumerOptions } from './consumer.ts'
import { duplicateClient, useClient } from './existing-client.ts'
import { createFailureLimiter, type RedisFailureLimiterOptions } from './failure-limiter.ts'
import { readAddress, withTls } from './server-address.ts'

/** The server to connect to. */
interface RedisServerOptions extends ClientTimeouts, ConnectTimes, ClientHooks {
  /**
   * `redis://user:password@host:6379/0`; everything except the host is optional. `rediss://` uses TLS. The last number
   * selects the database. Nothing is written while the server refuses to select it.
   */
  readonly url: string
  /** TLS options for `rediss`: certificate authorities (`ca`), or a client certificate and its key. */
  readonly tls?: TlsOptions
}

/** A client of the application. */
interface RedisExistingClientOptions extends ClientTimeouts {
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
  const opened = createOpened()
  return {
    bus: (busOptions = {}) => opened.bus(createBus(connection, busOptions)),
    consumer: (consumerOptions) =>
      opened.consumer(createRedisConsumer(connection, openBlocking, timeoutMs, consumerOptions)),
    failureLimiter: (limiterOptions = {}) => createFailureLimiter(connection, limiterOptions),
    async close() {
      await waitAtMost(closeTimeoutMs, opened.close())
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
