import type { SecureContextOptions } from 'node:tls'
import { maxTimerMs, untilAborted } from '@sallyport/internal/deadline'
import { checkIntegers } from '@sallyport/internal/options'
import { createBus, type AmqpBus, type AmqpBusOptions } from './bus.ts'
import { openConnection, type AmqpClientHooks } from './connection.ts'
import { readAddress } from './server-address.ts'

export interface AmqpClientOptions extends AmqpClientHooks {
  /**
   * `amqp://user:password@host:5672/vhost`; everything except the host is optional. `amqps://` uses TLS. The vhost is
   * percent-encoded; the default vhost is `/`.
   */
  readonly url: string
  /** TLS options for `amqps`: certificate authorities (`ca`), or a client certificate and its key. */
  readonly tls?: SecureContextOptions
  /** Timeout of one attempt to connect, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /** Delay between two attempts to connect, in milliseconds. @default 1,000 */
  readonly retryMs?: number
  /** Timeout for the confirmation of a batch, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** Timeout of `close`, in milliseconds. @default 5,000 */
  readonly closeTimeoutMs?: number
}

/** A connection to RabbitMQ, with the publishers that use it. */
export interface AmqpClient {
  /**
   * Creates a publisher on an exchange.
   *
   * @throws TypeError if the exchange name is empty or longer than 255 bytes, or a number is out of range
   */
  bus(options?: AmqpBusOptions): AmqpBus
  /** Closes all buses after their running calls, then disconnects. */
  close(): Promise<void>
}

/**
 * Opens a connection to a RabbitMQ server in the background. While the server is unavailable, every call fails with a
 * retryable error, and `ping` of a bus rejects with the reason.
 *
 * @throws TypeError if the URL is invalid or a time is not a valid timer delay
 *
 * @example
 * ```ts
 * import { openAmqp } from '@sallyport/amqp'
 * import { createDispatcher, memoryInbox } from '@sallyport/webhooks'
 *
 * const amqp = openAmqp({ url: 'amqp://127.0.0.1:5672' })
 * const bus = amqp.bus({ exchange: 'sallyport' })
 * const dispatcher = createDispatcher({ inbox: memoryInbox(), publisher: bus })
 * ```
 *
 * @see https://www.rabbitmq.com/docs/confirms
 */
export function openAmqp(options: AmqpClientOptions): AmqpClient {
  const { url, tls = {}, connectTimeoutMs = 5000, retryMs = 1000 } = options
  const { timeoutMs = 5000, closeTimeoutMs = 5000 } = options
  checkIntegers({ connectTimeoutMs, retryMs, timeoutMs, closeTimeoutMs }, 1, maxTimerMs)
  const connection = openConnection(readAddress(url), { connectTimeoutMs, retryMs, tls }, options)
  const opened = new Set<AmqpBus>()
  async function close(): Promise<void> {
    const timeout = AbortSignal.timeout(closeTimeoutMs)
    const closed = Promise.all(Array.from(opened, (bus) => bus.close()))
    await untilAborted(closed, timeout).catch(() => undefined)
    await connection.close(timeout)
  }
  let closing: Promise<void> | undefined
  return {
    bus(busOptions = {}) {
      const bus = createBus(connection, timeoutMs, busOptions)
      opened.add(bus)
      return { ...bus, close: () => bus.close().finally(() => opened.delete(bus)) }
    },
    // A second close would end the connection while the first one still waits for a response.
    close: () => (closing ??= close()),
  }
}
