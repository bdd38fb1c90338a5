import type { SecureContextOptions } from 'node:tls'
import { createBus, type AmqpBus, type AmqpBusOptions } from './bus.ts'
import { openConnection, type ConnectionHooks } from './connection.ts'
import { requireTimers } from './options.ts'
import { readAddress } from './server-address.ts'
import { untilAborted } from './until-aborted.ts'

export interface AmqpOptions extends ConnectionHooks {
  /**
   * `amqp://user:password@host:5672/vhost`, where everything but the host may be left out; `amqps://` is for TLS. A vhost
   * is percent-encoded, and the one that is named `/` when it is left out.
   */
  readonly url: string
  /** Of `amqps`: certificates of authorities (`ca`) instead of the known ones, or a certificate and a key of our own. */
  readonly tls?: SecureContextOptions
  /** How long one attempt to connect may take, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /** How long to wait between two attempts to connect, in milliseconds. @default 1,000 */
  readonly retryMs?: number
  /** How long the server may take to confirm a batch, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** How long `close` may take, in milliseconds, when the server does not answer any more. @default 5,000 */
  readonly closeTimeoutMs?: number
}

/** A connection to RabbitMQ, and what stands on it. */
export interface Amqp {
  /**
   * Events on an exchange.
   *
   * @throws TypeError when the exchange's name is empty or longer than 255 bytes, or a number is out of range
   */
  bus(options?: AmqpBusOptions): AmqpBus
  /** Closes every bus of it, finishes what is under way, and ends the connection. */
  close(): Promise<void>
}

/**
 * Opens a connection to a RabbitMQ server, in the background: while the server is away, everything fails as something
 * that may be tried again, and `ping` of a bus says why.
 *
 * @throws TypeError when the address is none, or a time is no whole number of milliseconds
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
export function openAmqp(options: AmqpOptions): Amqp {
  const { url, tls = {}, connectTimeoutMs = 5000, retryMs = 1000 } = options
  const { timeoutMs = 5000, closeTimeoutMs = 5000 } = options
  requireTimers({ connectTimeoutMs, retryMs, timeoutMs, closeTimeoutMs })
  const connection = openConnection(readAddress(url), { connectTimeoutMs, retryMs, tls }, options)
  const opened = new Set<AmqpBus>()
  async function close(): Promise<void> {
    const patience = AbortSignal.timeout(closeTimeoutMs)
    const closed = Promise.all(Array.from(opened, (bus) => bus.close()))
    await untilAborted(closed, patience).catch(() => undefined)
    await connection.close(patience)
  }
  let closing: Promise<void> | undefined
  return {
    bus(busOptions = {}) {
      const bus = createBus(connection, timeoutMs, busOptions)
      opened.add(bus)
      return { ...bus, close: () => bus.close().finally(() => opened.delete(bus)) }
    },
    // The second of two would cut the connection over which the first one waits for the server's answer.
    close: () => (closing ??= close()),
  }
}
