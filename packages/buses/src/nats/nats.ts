import { waitAtMost } from '@sallyport/internal/deadline'
import { createBus, type NatsBus, type NatsBusOptions } from './bus.ts'
import type { NatsConnection } from '@nats-io/transport-node'
import type { AnyProvider } from '@sallyport/webhooks'
import type { Consumer } from '@sallyport/webhooks/consumer'
import type { NatsAuthentication } from './authentication.ts'
import { openConnection, useConnection, type Connection, type NatsClientHooks } from './connection.ts'
import { createNatsConsumer, type NatsConsumerOptions } from './consumer.ts'
import { requireTimers } from './options.ts'
import { readAddress } from './server-address.ts'

interface Timeouts {
  /** Timeout of one request to the server, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** Timeout of `close`, in milliseconds. @default 5,000 */
  readonly closeTimeoutMs?: number
}

/** The servers to connect to. */
export interface NatsServerOptions extends Timeouts, NatsClientHooks, NatsAuthentication {
  /**
   * `nats://host:4222`, optionally with `user:password@` or `token@`; `tls://` requires TLS. Several servers of one cluster are
   * a list with the credentials in the first URL.
   */
  readonly url: string | readonly string[]
  /** Timeout of one attempt to connect, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /** Delay between two attempts to connect, in milliseconds. @default 1,000 */
  readonly retryMs?: number
}

/** A connection of the application. */
interface NatsConnectionOptions extends Timeouts {
  /** The connection of `@nats-io/transport-node`. `close` of the client leaves it open. */
  readonly connection: NatsConnection
}

export type NatsClientOptions = NatsServerOptions | NatsConnectionOptions

/** A connection to NATS, with the publishers and consumers that use it. */
export interface NatsClient {
  /**
   * Creates a publisher on a stream.
   *
   * @throws TypeError if a number is out of range or the prefix is not a valid subject
   */
  bus(options?: NatsBusOptions): NatsBus
  /**
   * Creates a consumer on a stream, as a durable consumer with the name of the options. Dead letters go to the stream
   * `<stream>_DEAD` with the headers `Sallyport-Reason` and `Sallyport-Subject`.
   *
   * @throws TypeError if an option is out of range or a handler is not a function
   *
   * @example
   * ```ts
   * import { openNats } from '@sallyport/buses/nats'
   * import type { github } from '@sallyport/providers/github'
   * import { openPostgres } from '@sallyport/sql/postgres'
   * import type { WithPayloads } from '@sallyport/webhooks'
   *
   * type GitHub = WithPayloads<typeof github, { push: { repository: { full_name: string } } }>
   *
   * const database = await openPostgres({ url: process.env.DATABASE_URL ?? '' })
   * const nats = openNats({ url: 'nats://127.0.0.1:4222' })
   *
   * const consumer = nats.consumer<[GitHub]>({
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
    options: NatsConsumerOptions<Providers>,
  ): Consumer
  /** Stops all consumers, closes all buses after their running calls, sends buffered messages, then disconnects. */
  close(): Promise<void>
}

/**
 * Opens a connection to a NATS server with JetStream in the background, or uses a connection of the application. While the
 * server is unavailable, every call fails with a retryable error, and `ping` of a bus rejects with the reason.
 *
 * @throws TypeError if a URL, the credentials or the seed is invalid, or a time is not a valid timer delay
 *
 * @example
 * ```ts
 * import { openNats } from '@sallyport/buses/nats'
 * import { createDispatcher, createMemoryInbox } from '@sallyport/webhooks'
 *
 * const nats = openNats({ url: 'nats://127.0.0.1:4222' })
 * const bus = nats.bus({ stream: 'SALLYPORT' })
 * const dispatcher = createDispatcher({ inbox: createMemoryInbox(), publisher: bus })
 * ```
 *
 * @see https://docs.nats.io/nats-concepts/jetstream
 */
export function openNats(options: NatsClientOptions): NatsClient {
  const { timeoutMs = 5000, closeTimeoutMs = 5000 } = options
  requireTimers({ timeoutMs, closeTimeoutMs })
  const connection = 'connection' in options ? useConnection(options.connection) : connect(options)
  const opened = new Set<{ close(): Promise<void> }>()
  return {
    bus(busOptions = {}) {
      const bus = createBus(connection, timeoutMs, busOptions)
      opened.add(bus)
      return { ...bus, close: () => bus.close().finally(() => opened.delete(bus)) }
    },
    consumer(consumerOptions) {
      const consumer = createNatsConsumer(connection, timeoutMs, consumerOptions)
      const handle = { close: () => consumer.stop() }
      opened.add(handle)
      return { ...consumer, stop: () => consumer.stop().finally(() => opened.delete(handle)) }
    },
    async close() {
      const closed = Promise.all(Array.from(opened, (one) => one.close())).then(() => connection.drain())
      await waitAtMost(closeTimeoutMs, closed)
      await connection.close()
    },
  }
}

function connect(options: NatsServerOptions): Connection {
  const { url, connectTimeoutMs = 5000, retryMs = 1000 } = options
  requireTimers({ connectTimeoutMs, retryMs })
  return openConnection(readAddress(url), { ...options, connectTimeoutMs, retryMs }, options)
}
