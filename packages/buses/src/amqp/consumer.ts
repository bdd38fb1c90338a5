import type { ChannelModel, ConfirmChannel, ConsumeMessage, Options } from 'amqplib'
import { SallyportError } from '@sallyport/errors'
import { untilAborted } from '@sallyport/internal/deadline'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import type { AnyProvider } from '@sallyport/webhooks'
import {
  createConsumer,
  decodeEvent,
  type Consumer,
  type ConsumerOptions,
  type ConsumerSource,
  type ReceivedMessage,
} from '@sallyport/webhooks/consumer'
import { ensure, ensureExchange } from './bus.ts'
import type { Connection } from './connection.ts'
import { withPlainErrors } from './failure.ts'

export interface AmqpConsumerOptions<
  Providers extends readonly AnyProvider[] = readonly AnyProvider[],
> extends ConsumerOptions<Providers> {
  /** The exchange of the events. A missing exchange is created as a durable topic exchange. @default sallyport */
  readonly exchange?: string
}

const waitMs = 1000
/** Far above `maxDeliveries`. The default of RabbitMQ 4 is 20, and older servers have no value for an unlimited queue. */
const deliveryLimit = 1_000_000

/** A channel and the messages that it has received. */
interface Receipt {
  readonly channel: ConfirmChannel
  /** Those that are not passed on. */
  readonly messages: ConsumeMessage[]
  /** The number of those that are not settled. */
  unsettled: number
  /** The number that the server sends before one of them is settled. */
  capacity: number
}

/** Creates a consumer on the quorum queue `<exchange>.<name>`. Dead letters go to the queue `<exchange>.<name>.dead`. */
export function createAmqpConsumer<Providers extends readonly AnyProvider[]>(
  connection: Connection,
  timeoutMs: number,
  { exchange = 'sallyport', ...options }: AmqpConsumerOptions<Providers>,
): Consumer {
  const queue = `${exchange}.${options.name}`
  const deadLetters = `${queue}.dead`
  const prefetch = options.maxInFlight ?? 100
  const arrivals = createWakeUps()
  let receipt: Receipt | undefined

  async function ensureQueues(connected: ChannelModel): Promise<void> {
    await ensureExchange(connected, exchange)
    const quorum = { 'x-queue-type': 'quorum' }
    // The server itself moves messages too, for example over a delivery limit of a policy.
    const deadLettering = {
      ...{ 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': deadLetters },
      ...{ 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' },
      'x-delivery-limit': deliveryLimit,
    }
    for (const [name, settings] of [
      [deadLetters, quorum],
      [queue, { ...quorum, ...deadLettering }],
    ] as const)
      await ensure(
        connected,
        (channel) => channel.checkQueue(name),
        (channel) => channel.assertQueue(name, { durable: true, arguments: settings }),
      )
  }

  async function open(): Promise<void> {
    const connected = await connection.getConnection()
    await ensureQueues(connected)
    const channel = await connected.createConfirmChannel()
    const opened: Receipt = { channel, messages: [], unsettled: 0, capacity: 0 }
    channel.on('error', () => undefined)
    channel.on('close', () => {
      // The server delivers the unacknowledged messages again.
      if (receipt === opened) receipt = undefined
      arrivals.wake()
    })
    receipt = opened
    await channel.bindQueue(queue, exchange, '#')
    await channel.prefetch(prefetch)
    await consume(opened)
  }

  /** Adds a consumer to the channel. Each one has its own limit of messages that are not settled. */
  async function consume(held: Receipt): Promise<void> {
    const { channel, messages } = held
    held.capacity += prefetch
    await channel.consume(queue, (message) => {
      // The server ends the consumer when the queue is deleted.
      if (message === null) void channel.close().catch(() => undefined)
      else {
        messages.push(message)
        held.unsettled++
      }
      arrivals.wake()
    })
  }

  async function storeDeadLetter(channel: ConfirmChannel, message: ConsumeMessage, reason: string) {
    const { messageId, type } = message.properties as Options.Publish
    const { headers } = message.properties
    // A missing queue closes the channel; without the check, the server would drop the dead letter.
    await channel.checkQueue(deadLetters)
    channel.sendToQueue(deadLetters, message.content, {
      persistent: true,
      ...(messageId !== undefined && { messageId }),
      ...(type !== undefined && { type }),
      headers: { ...headers, 'sallyport-reason': reason },
    })
    await channel.waitForConfirms()
    channel.ack(message)
  }

  const toReceived = (held: Receipt, message: ConsumeMessage): ReceivedMessage => ({
    decode: () => decodeEvent(JSON.parse(message.content.toString())),
    deliveries: Number(message.properties.headers?.['x-delivery-count'] ?? 0),
    ack: () =>
      withPlainErrors(() => {
        held.channel.ack(message)
        held.unsettled--
        return Promise.resolve()
      }),
    deadLetter: (reason) =>
      withPlainErrors(async () => {
        await storeDeadLetter(held.channel, message, reason)
        held.unsettled--
      }),
    // The end of the channel returns all messages in their order.
    release: () => Promise.resolve(),
    isLost: () => receipt !== held,
  })

  const source: ConsumerSource = {
    open: () => withPlainErrors(() => untilAborted(open(), AbortSignal.timeout(timeoutMs))),
    async receive(limit, signal) {
      if (receipt?.messages.length === 0) await arrivals.pause(waitMs, signal)
      if (receipt === undefined)
        throw new SallyportError('SERVICE_UNAVAILABLE', 'RabbitMQ: the channel of the consumer is closed')
      const held = receipt
      // Messages wait for others of their subject. A larger limit from the start would leave none for other processes.
      if (held.messages.length === 0 && held.unsettled === held.capacity)
        await withPlainErrors(() => untilAborted(consume(held), AbortSignal.timeout(timeoutMs)))
      return held.messages.splice(0, limit).map((message) => toReceived(held, message))
    },
    close: async () => {
      const closing = receipt?.channel.close() ?? Promise.resolve()
      await untilAborted(closing, AbortSignal.timeout(timeoutMs)).catch(() => undefined)
    },
  }
  return createConsumer(source, options)
}
