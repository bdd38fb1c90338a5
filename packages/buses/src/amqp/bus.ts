import { Buffer } from 'node:buffer'
import type { Channel, ChannelModel } from 'amqplib'
import type { WebhookEvent, Publisher, PublishResult } from '@sallyport/webhooks'
import { untilAborted } from '@sallyport/internal/deadline'
import { checkIntegers } from '@sallyport/internal/options'
import { createBusTracker } from '../client/failure.ts'
import { openConfirmChannel, type ConfirmChannel } from './confirm-channel.ts'
import type { Connection } from './connection.ts'
import { createTooLarge, finalFailure, toFailure, withPlainErrors } from './failure.ts'
import { encodeMessage, shortTextBytes, type Message } from './message.ts'

export interface AmqpBusOptions {
  /**
   * The exchange for the events. A missing exchange is created as a durable topic exchange; an existing one is unchanged.
   *
   * @default sallyport
   */
  readonly exchange?: string
  /**
   * Whether an event that no queue receives fails with a retryable error. With `false`, the server drops the event and it
   * counts as published.
   *
   * @default true
   */
  readonly mandatory?: boolean
  /**
   * Maximum size of an event as JSON, in bytes. A larger event is published with a reference to its data, if the dispatcher
   * has `dataref`, and otherwise becomes a dead letter. `max_message_size` of the server is another limit.
   *
   * @default 16,777,216 (16 MiB)
   */
  readonly eventBytes?: number
}

/** A publisher on a RabbitMQ exchange. */
export interface AmqpBus extends Publisher {
  /** Resolves if the exchange exists or was created; otherwise rejects with the reason. */
  ping(): Promise<void>
  /** Rejects new calls and resolves when the running calls have ended. */
  close(): Promise<void>
}

/** Matches the error with which the server closes the channel after a message over its size limit. */
const serverLimit = /message size \d+ is larger than .*max size (\d+)/

export function createBus(connection: Connection, timeoutMs: number, options: AmqpBusOptions): AmqpBus {
  const { exchange = 'sallyport', mandatory = true, eventBytes = 16_777_216 } = options
  if (exchange === '' || Buffer.byteLength(exchange) > shortTextBytes)
    throw new TypeError(`exchange must be a name of 1 to ${shortTextBytes} bytes`)
  checkIntegers({ eventBytes }, 1)
  const operations = createBusTracker()
  const limits = new WeakMap<ChannelModel, number>()
  let opening: { readonly connection: ChannelModel; readonly channel: Promise<ConfirmChannel> } | undefined

  function openOn(connected: ChannelModel): Promise<ConfirmChannel> {
    const attempt = {
      connection: connected,
      channel: ensureExchange(connected, exchange).then(() =>
        openConfirmChannel(connected, { ...{ exchange, mandatory }, onClosed }),
      ),
    }
    const discard = () => {
      if (opening === attempt) opening = undefined
    }
    function onClosed({ message }: Error): void {
      const [, limit] = serverLimit.exec(message) ?? []
      if (limit !== undefined) limits.set(connected, Number(limit))
      discard()
    }
    opening = attempt
    attempt.channel.catch(discard)
    return attempt.channel
  }

  async function open(): Promise<{ readonly channel: ConfirmChannel; readonly maximum: number }> {
    const connected = await connection.getConnection()
    const channel = await (opening?.connection === connected ? opening.channel : openOn(connected))
    return { channel, maximum: Math.min(eventBytes, limits.get(connected) ?? eventBytes) }
  }

  async function publishAll(
    events: readonly WebhookEvent[],
    stop: AbortSignal,
  ): Promise<readonly PublishResult[]> {
    const timedOut = new Promise<PublishResult>((resolve) => {
      stop.addEventListener('abort', () => {
        resolve(toFailure(stop.reason))
      })
    })
    const { channel, maximum } = await untilAborted(open(), stop)
    const results: Promise<PublishResult>[] = []
    for (const event of events) {
      const room = channel.waitForRoom()
      if (room) await Promise.race([room, timedOut])
      results.push(stop.aborted ? timedOut : Promise.race([publishOne(event, channel, maximum), timedOut]))
    }
    return Promise.all(results)
  }

  return {
    publish: (events, signal) =>
      operations.run(async () => {
        signal.throwIfAborted()
        if (events.length === 0) return []
        const publishing = runWithDeadline(timeoutMs, signal, (stop) => publishAll(events, stop))
        return untilAborted(
          publishing.catch((error: unknown) => events.map(() => toFailure(error))),
          signal,
        )
      }),
    ping: () =>
      operations.run(() =>
        withPlainErrors(async () => {
          const checking = connection.getConnection().then((connected) => ensureExchange(connected, exchange))
          await untilAborted(checking, AbortSignal.timeout(timeoutMs))
        }),
      ),
    async close() {
      await operations.close()
      const closing = opening?.channel.then((channel) => channel.close()) ?? Promise.resolve()
      await untilAborted(closing, AbortSignal.timeout(timeoutMs)).catch(() => undefined)
    },
  }
}

async function publishOne(
  event: WebhookEvent,
  channel: ConfirmChannel,
  maximum: number,
): Promise<PublishResult> {
  // An event that the server rejects would close the channel and fail all events in flight.
  const message = tryEncodeMessage(event)
  if (message === undefined) return finalFailure('The event cannot be written as JSON')
  // The routing key can be longer than the name, because an empty part becomes an underscore.
  if (Math.max(Buffer.byteLength(event.name), message.routingKey.length) > shortTextBytes)
    return finalFailure(`The event name is longer than ${shortTextBytes} bytes, the limit of a routing key`)
  if (message.body.length > maximum) return createTooLarge(maximum)
  return channel.send(message)
}

function tryEncodeMessage(event: WebhookEvent): Message | undefined {
  try {
    return encodeMessage(event)
  } catch {
    return undefined
  }
}

const notFound = 404

/** Checks that an exchange exists, or creates it as a durable topic exchange. */
export const ensureExchange = (connection: ChannelModel, exchange: string): Promise<void> =>
  ensure(
    connection,
    (channel) => channel.checkExchange(exchange),
    (channel) => channel.assertExchange(exchange, 'topic', { durable: true }),
  )

/** Creates an object if the check finds it missing, and leaves an existing one unchanged. */
export async function ensure(
  connection: ChannelModel,
  check: (channel: Channel) => Promise<unknown>,
  create: (channel: Channel) => Promise<unknown>,
): Promise<void> {
  const exists = await withChannel(connection, check).then(
    () => true,
    (error: unknown) =>
      (error as { code?: unknown }).code === notFound ? false : Promise.reject(error as Error),
  )
  if (!exists) await withChannel(connection, create)
}

/** Runs an operation on a separate channel, because the server closes the channel after an error. */
async function withChannel(
  connection: ChannelModel,
  operation: (channel: Channel) => Promise<unknown>,
): Promise<void> {
  const channel = await connection.createChannel()
  // The operation rejects too. Without a listener, Node.js would throw the error as uncaught.
  channel.on('error', () => undefined)
  await operation(channel)
  await channel.close()
}

/** Runs an operation with a signal that is aborted after a time or together with the given signal. */
async function runWithDeadline<Value>(
  milliseconds: number,
  signal: AbortSignal,
  run: (stop: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stop = new AbortController()
  const onAbort = () => {
    stop.abort(signal.reason)
  }
  const timer = setTimeout(() => {
    stop.abort(new DOMException('The time is up', 'TimeoutError'))
  }, milliseconds)
  signal.addEventListener('abort', onAbort)
  // The timer and the listener must not outlive the operation, because many operations share one signal.
  try {
    return await run(stop.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
