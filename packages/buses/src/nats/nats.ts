import { waitAtMost } from '@sallyport/internal/deadline'
import { createOpened } from '../client/opened.ts'
import type { ClientHooks, ClientTimeouts, ConnectTimes } from '../client/options.ts'
import { createBus, type NatsBus, type NatsBusOptions } from './bus.ts'
import type { NatsConnection } from '@nats-io/transport-node'
import type { AnyProvider } from '@sallyport/webhooks'
import type { Consumer } from '@sallyport/webhooks/consumer'
import type { NatsAuthentication } from './authentication.ts'
import { openConnection, useConnection, type Connection } from './connection.ts'
import { createNatsConsumer, type NatsConsumerOptions } from './consumer.ts'
import { requireTimers } from './options.ts'
import { readAddress } from './server-address.ts'

/** The servers to connect to. */
export interface NatsServerOptions extends ClientTimeouts, ConnectTimes, ClientHooks, NatsAuthentication {
  /**
   * `nats://host:4222`, optionally with `user:password@` or `token@`; `tls://` requires TLS. Several servers of one cluster are
   * a list with the credentials in the first URL.
   */
  readonly url: string | readonly string[]
}

/** A connection of the application. */
interface NatsConnectionOptions extends ClientTimeouts {
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
  const opened = createOpened()
  return {
    bus: (busOptions = {}) => opened.bus(createBus(connection, timeoutMs, busOptions)),
    consumer: (consumerOptions) =>
      opened.consumer(createNatsConsumer(connection, timeoutMs, consumerOptions)),
    async close() {
      const closed = opened.close().then(() => connection.drain())
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
