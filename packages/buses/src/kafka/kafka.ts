import type { ConnectionOptions as TlsOptions } from 'node:tls'
import { checkIntegers } from '@sallyport/internal/options'
import { maxTimerMs } from '@sallyport/internal/deadline'
import type { AnyProvider } from '@sallyport/webhooks'
import type { Consumer } from '@sallyport/webhooks/consumer'
import { readAddress } from './address.ts'
import { createOpened } from '../client/opened.ts'
import type { ClientHooks } from '../client/options.ts'
import { createBus, type KafkaBus, type KafkaBusOptions } from './bus.ts'
import { createKafkaConsumer, type KafkaConsumerOptions } from './consumer.ts'

/** Credentials for SASL. */
export type KafkaSasl =
  | {
      readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512'
      readonly username: string
      readonly password: string | (() => string | Promise<string>)
    }
  | {
      readonly mechanism: 'OAUTHBEARER'
      /** The token, or a function that returns a valid one for each connection. */
      readonly token: string | (() => string | Promise<string>)
    }

export interface KafkaClientOptions extends ClientHooks {
  /**
   * `kafka://host:9092,host2:9092`, the brokers to begin with, optionally with `user:password@` for SASL PLAIN.
   * `kafkas://` requires TLS.
   */
  readonly url: string
  /** TLS options, such as `ca` or a client certificate. Requires TLS. @default none, TLS by the scheme of the URL */
  readonly tls?: TlsOptions
  /** @default PLAIN with the user and the password of the URL, if any */
  readonly sasl?: KafkaSasl
  /** The name of the client in the logs of the brokers. @default sallyport */
  readonly clientId?: string
  /** Timeout of one attempt to connect, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /** Timeout of one request to a broker, in milliseconds. @default 10,000 */
  readonly timeoutMs?: number
}

/** A cluster, with the publishers and consumers that use it. */
export interface KafkaClient {
  /**
   * Creates a publisher on a topic, with separate connections.
   *
   * @throws TypeError if a number is out of range or the name of the topic is invalid
   */
  bus(options?: KafkaBusOptions): KafkaBus
  /**
   * Creates a consumer on a topic, with separate connections. Its consumer group is `<topic>.<name>`.
   *
   * @throws TypeError if an option is out of range
   */
  consumer<Providers extends readonly AnyProvider[] = readonly AnyProvider[]>(
    options: KafkaConsumerOptions<Providers>,
  ): Consumer
  /** Closes all publishers after their running calls. Consumers have their own `stop`. */
  close(): Promise<void>
}

/**
 * Describes a Kafka cluster. Publishers connect at the first call; while the cluster is unavailable, every call fails with
 * a retryable error, and `ping` of a bus rejects with the reason.
 *
 * @throws TypeError if the URL is invalid, a user has no password, or a time is not a valid timer delay
 *
 * @example
 * ```ts
 * import { openKafka } from '@sallyport/buses/kafka'
 * import { createDispatcher, createMemoryInbox } from '@sallyport/webhooks'
 *
 * const kafka = openKafka({ url: 'kafka://127.0.0.1:9092' })
 * const bus = kafka.bus({ topic: 'webhooks' })
 * const dispatcher = createDispatcher({ inbox: createMemoryInbox(), publisher: bus })
 * ```
 *
 * @see https://kafka.apache.org/documentation/#producerconfigs
 */
export function openKafka(options: KafkaClientOptions): KafkaClient {
  const { clientId = 'sallyport', connectTimeoutMs = 5000, timeoutMs = 10_000 } = options
  checkIntegers({ connectTimeoutMs, timeoutMs }, 1, maxTimerMs)
  const address = readAddress(options.url)
  const tls = options.tls ?? (address.tls ? {} : undefined)
  const sasl = options.sasl ?? address.sasl
  const connection = {
    clientId,
    bootstrapBrokers: [...address.brokers],
    connectTimeout: connectTimeoutMs,
    requestTimeout: timeoutMs,
    ...(tls && { tls }),
    ...(sasl && { sasl }),
  }
  const opened = createOpened()
  return {
    bus: (busOptions = {}) => opened.bus(createBus(connection, busOptions, options)),
    consumer: (consumerOptions) => createKafkaConsumer(connection, consumerOptions),
    async close() {
      await opened.close()
    },
  }
}
