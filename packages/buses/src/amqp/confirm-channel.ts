import { IllegalOperationError, type ChannelModel } from 'amqplib'
import { SallyportError } from '@sallyport/errors'
import type { PublishResult } from '@sallyport/webhooks'
import { finalFailure, toFailure } from './failure.ts'
import type { Message } from './message.ts'

/** Maximum number of frames that wait for the socket. A small message has one to three frames. */
const maxWaitingFrames = 256

/** Maximum number of unconfirmed messages. The server may delay confirmations for hours while batches are retried. */
const maxUnconfirmed = 10_000

/** A channel whose messages the server confirms one by one. */
export interface ConfirmChannel {
  /** Resolves when another message may be sent or the channel closes. Undefined if one may be sent now. */
  waitForRoom(): Promise<unknown> | undefined
  /** Sends a message and resolves when the server has confirmed it. */
  send(message: Message): Promise<PublishResult>
  /** Closes the channel. */
  close(): Promise<void>
}

export interface ConfirmChannelOptions {
  readonly exchange: string
  /** Whether a message that no queue receives is a failure. */
  readonly mandatory: boolean
  /** Called once with the reason when the channel has closed. */
  readonly onClosed: (reason: Error) => void
}

interface Unconfirmed {
  returned: boolean
}

/** Opens a channel in confirm mode. */
export async function openConfirmChannel(
  connection: ChannelModel,
  options: ConfirmChannelOptions,
): Promise<ConfirmChannel> {
  const { exchange, mandatory, onClosed } = options
  const channel = await connection.createConfirmChannel({ highWaterMark: maxWaitingFrames })
  const unconfirmed = new Map<string, Set<Unconfirmed>>()
  let reason = new Error('The connection is lost')
  let count = 0
  let isDrained = true
  let room: PromiseWithResolvers<undefined> | undefined

  const release = () => {
    room?.resolve(undefined)
    room = undefined
  }
  const hasRoom = () => isDrained && count < maxUnconfirmed
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
  // The server returns an unroutable message before it confirms it. Only the message id identifies it; messages with the
  // same id hold the same event, so any of them may be marked.
  channel.on('return', ({ properties }) => {
    for (const one of unconfirmed.get(String(properties.messageId)) ?? []) {
      if (one.returned) continue
      one.returned = true
      return
    }
  })

  function addUnconfirmed(messageId: string): Unconfirmed {
    const one = { returned: false }
    count += 1
    const equals = unconfirmed.get(messageId) ?? new Set()
    unconfirmed.set(messageId, equals.add(one))
    return one
  }

  function removeUnconfirmed(messageId: string, one: Unconfirmed): void {
    const equals = unconfirmed.get(messageId)
    equals?.delete(one)
    if (equals?.size === 0) unconfirmed.delete(messageId)
    count -= 1
    if (hasRoom()) release()
  }

  return {
    waitForRoom: () => room?.promise,
    send({ routingKey, messageId, body, properties }) {
      const result = Promise.withResolvers<PublishResult>()
      const entry = addUnconfirmed(messageId)
      const confirm = (error: unknown) => {
        removeUnconfirmed(messageId, entry)
        result.resolve(toResult(error, entry.returned, reason, { exchange, routingKey }))
      }
      try {
        isDrained = channel.publish(exchange, routingKey, body, { ...properties, mandatory }, confirm)
        if (!hasRoom()) room ??= Promise.withResolvers()
      } catch (error) {
        confirm(error)
      }
      return result.promise
    },
    close: () => channel.close(),
  }
}

function toResult(
  error: unknown,
  returned: boolean,
  reason: Error,
  { exchange, routingKey }: { readonly exchange: string; readonly routingKey: string },
): PublishResult {
  if (error === null) {
    if (!returned) return { ok: true }
    return toFailure(
      new SallyportError(
        'SERVICE_UNAVAILABLE',
        `RabbitMQ has no queue for ${routingKey} on the exchange ${exchange}: bind one`,
      ),
    )
  }
  const { message } = error as Error
  if (message === 'message nacked')
    return toFailure(new Error('a queue rejected the message, for example because it is full'))
  if (message === 'channel closed' || error instanceof IllegalOperationError) return toFailure(reason)
  return finalFailure(`The event cannot be encoded as an AMQP message: ${message}`)
}
