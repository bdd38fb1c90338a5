import type { SecureContextOptions } from 'node:tls'
import type { ChannelModel } from 'amqplib'
import { maxTimerMs, untilAborted } from '@sallyport/internal/deadline'
import type { AnyProvider } from '@sallyport/webhooks'
import type { Consumer } from '@sallyport/webhooks/consumer'
import { checkIntegers } from '@sallyport/internal/options'
import { createOpened } from '../client/opened.ts'
import type { ClientHooks, ClientTimeouts, ConnectTimes } from '../client/options.ts'
import { createBus, type AmqpBus, type AmqpBusOptions } from './bus.ts'
import { createAmqpConsumer, type AmqpConsumerOptions } from './consumer.ts'
import { openConnection, useConnection, type Connection } from './connection.ts'
import { readAddress } from './server-address.ts'

/** The server to connect to. */
interface AmqpServerOptions extends ClientTimeouts, ConnectTimes, ClientHooks {
  /**
   * `amqp://user:password@host:5672/vhost`; everything except the host is optional. `amqps://` uses TLS. The vhost is
   * percent-encoded; the default vhost is `/`.
   */
  readonly url: string
  /** TLS options for `amqps`: certificate authorities (`ca`), or a client certificate and its key. */
  readonly tls?: SecureContextOptions
}

/** A connection of the application. */
interface AmqpConnectionOptions extends ClientTimeouts {
  /**
   * Returns the current connection of `connect` of amqplib, because amqplib does not reconnect. The buses open channels on the
   * connection; `close` of the client leaves the connection open. An error fails the batch, which is retried.
   */
  readonly connection: () => ChannelModel | Promise<ChannelModel>
}

export type AmqpClientOptions = AmqpServerOptions | AmqpConnectionOptions

/** A connection to RabbitMQ, with the publishers that use it. */
export interface AmqpClient {
  /**
   * Creates a publisher on an exchange.
   *
   * @throws TypeError if the exchange name is empty or longer than 255 bytes, or a number is out of range
   */
  bus(options?: AmqpBusOptions): AmqpBus
  /**
   * Creates a consumer on an exchange, as the quorum queue `<exchange>.<name>`, which is bound to all events. Dead letters go to
   * the queue `<exchange>.<name>.dead` with the header `sallyport-reason`.
   *
   * @throws TypeError if an option is out of range or a handler is not a function
   */
  consumer<Providers extends readonly AnyProvider[] = readonly AnyProvider[]>(
    options: AmqpConsumerOptions<Providers>,
  ): Consumer
  /** Stops all consumers, closes all buses after their running calls, then disconnects. */
  close(): Promise<void>
}

/**
 * Opens a connection to a RabbitMQ server in the background, or uses a connection of the application. While the server is unavailable, every call fails with a
 * retryable error, and `ping` of a bus rejects with the reason.
 *
 * @throws TypeError if the URL is invalid or a time is not a valid timer delay
 *
 * @example
 * ```ts
 * import { openAmqp } from '@sallyport/buses/amqp'
 * import { createDispatcher, createMemoryInbox } from '@sallyport/webhooks'
 *
 * const amqp = openAmqp({ url: 'amqp://127.0.0.1:5672' })
 * const bus = amqp.bus({ exchange: 'sallyport' })
 * const dispatcher = createDispatcher({ inbox: createMemoryInbox(), publisher: bus })
 * ```
 *
 * @see https://www.rabbitmq.com/docs/confirms
 */
export function openAmqp(options: AmqpClientOptions): AmqpClient {
  const { timeoutMs = 5000, closeTimeoutMs = 5000 } = options
  checkIntegers({ timeoutMs, closeTimeoutMs }, 1, maxTimerMs)
  const connection = 'connection' in options ? useConnection(options.connection) : connect(options)
  const opened = createOpened()
  async function close(): Promise<void> {
    const timeout = AbortSignal.timeout(closeTimeoutMs)
    const closed = opened.close()
    await untilAborted(closed, timeout).catch(() => undefined)
    await connection.close(timeout)
  }
  let closing: Promise<void> | undefined
  return {
    bus: (busOptions = {}) => opened.bus(createBus(connection, timeoutMs, busOptions)),
    consumer: (consumerOptions) =>
      opened.consumer(createAmqpConsumer(connection, timeoutMs, consumerOptions)),
    // A second close would end the connection while the first one still waits for a response.
    close: () => (closing ??= close()),
  }
}

function connect(options: AmqpServerOptions): Connection {
  const { url, tls = {}, connectTimeoutMs = 5000, retryMs = 1000 } = options
  checkIntegers({ connectTimeoutMs, retryMs }, 1, maxTimerMs)
  return openConnection(readAddress(url), { connectTimeoutMs, retryMs, tls }, options)
}
