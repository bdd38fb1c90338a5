import { IllegalOperationError, type ChannelModel } from 'amqplib'
import { SallyportError } from '@sallyport/errors'
import type { PublishResult } from '@sallyport/webhooks'
import { failureOf, finalFailure } from './failure.ts'
import type { Message } from './message.ts'

/** Frames that wait for the socket, at most: one to three for a small message. */
const waitingFrames = 256

/** Messages that the server has not answered for: it may owe its answers for hours, and what came late is sent again. */
const unconfirmedMessages = 10_000

/** A channel on which the server answers for each message. */
export interface Outbox {
  /** Resolves when there is room for another message, or the channel ends; undefined when there is already. */
  room(): Promise<unknown> | undefined
  /** Sends a message, and answers for it once the server has. */
  send(message: Message): Promise<PublishResult>
  /** Ends it. */
  close(): Promise<void>
}

export interface OutboxOptions {
  readonly exchange: string
  /** Whether a message that no queue takes is a failure. */
  readonly mandatory: boolean
  /** Told once when the channel has ended, with the server's reason. */
  readonly onClosed: (reason: Error) => void
}

interface Unconfirmed {
  returned: boolean
}

interface Where {
  readonly exchange: string
  readonly routingKey: string
}

/** Opens a channel with confirms. */
export async function openOutbox(connection: ChannelModel, options: OutboxOptions): Promise<Outbox> {
  const { exchange, mandatory, onClosed } = options
  const channel = await connection.createConfirmChannel({ highWaterMark: waitingFrames })
  const unconfirmed = new Map<string, Set<Unconfirmed>>()
  let reason = new Error('The connection is lost')
  let count = 0
  let isDrained = true
  let room: PromiseWithResolvers<undefined> | undefined

  const release = () => {
    room?.resolve(undefined)
    room = undefined
  }
  const hasRoom = () => isDrained && count < unconfirmedMessages
  channel.on('drain', () => {
    isDrained = true
    if (hasRoom()) release()
  })
  channel.on('error', (error) => {
    reason = error
  })
  channel.on('close', () => {
    release()
    onClosed(reason)
  })
  // What no queue takes is returned before it is confirmed, and told apart by nothing but its id. Among equal ids it does
  // not matter which: they are the same event.
  channel.on('return', ({ properties }) => {
    for (const one of unconfirmed.get(String(properties.messageId)) ?? []) {
      if (one.returned) continue
      one.returned = true
      return
    }
  })

  function keep(messageId: string): Unconfirmed {
    const one = { returned: false }
    count += 1
    const equals = unconfirmed.get(messageId) ?? new Set()
    unconfirmed.set(messageId, equals.add(one))
    return one
  }

  function forget(messageId: string, one: Unconfirmed): void {
    const equals = unconfirmed.get(messageId)
    equals?.delete(one)
    if (equals?.size === 0) unconfirmed.delete(messageId)
    count -= 1
    if (hasRoom()) release()
  }

  return {
    room: () => room?.promise,
    send({ routingKey, messageId, body, properties }) {
      const answer = Promise.withResolvers<PublishResult>()
      const mine = keep(messageId)
      const confirm = (error: unknown) => {
        forget(messageId, mine)
        answer.resolve(resultOf(error, mine.returned, reason, { exchange, routingKey }))
      }
      try {
        isDrained = channel.publish(exchange, routingKey, body, { ...properties, mandatory }, confirm)
        if (!hasRoom()) room ??= Promise.withResolvers()
      } catch (error) {
        confirm(error)
      }
      return answer.promise
    },
    close: () => channel.close(),
  }
}

function resultOf(
  error: unknown,
  returned: boolean,
  reason: Error,
  { exchange, routingKey }: Where,
): PublishResult {
  if (error === null) {
    if (!returned) return { ok: true }
    return failureOf(
      new SallyportError(
        'SERVICE_UNAVAILABLE',
        `RabbitMQ has no queue for ${routingKey} on the exchange ${exchange}: bind one, and it goes there`,
      ),
    )
  }
  const { message } = error as Error
  if (message === 'message nacked')
    return failureOf(new Error('a queue refused it, such as one that is full'))
  if (message === 'channel closed' || error instanceof IllegalOperationError) return failureOf(reason)
  return finalFailure(`The event cannot be a message of AMQP: ${message}`)
}
