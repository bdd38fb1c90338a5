import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { InternalEvent, ReceivedEvent } from '@sallyport/webhooks'

export interface Lease {
  /** The connection as it is when the event is ended. */
  readonly current: () => Promise<NatsConnection>
  readonly timeoutMs: number
  /** Whether the event is still the receiver's. */
  readonly holds: () => boolean
}

/**
 * An event of the queue, from a message of its consumer.
 *
 * @throws SyntaxError when it is no event
 */
export function heldEvent(message: Msg, { current, timeoutMs, holds }: Lease): ReceivedEvent {
  // The message itself is not kept: with what arrived beside it, it is larger than the event.
  const { reply = '', data } = message
  const bytes = data.length
  const { deliveries, storedAt } = readReply(reply)
  let ended = false
  // A request, because its answer says that the next receive knows of it.
  const end = async (how: string) => {
    if (ended || !holds()) return false
    ended = true
    try {
      const connection = await current()
      await connection.request(reply, how, { timeout: timeoutMs })
      return true
    } catch (error) {
      ended = false
      throw error
    }
  }
  return {
    event: readEvent(message.string()),
    attempts: deliveries - 1,
    since: storedAt,
    bytes,
    ack: () => end('+ACK'),
    async retry(afterMs) {
      if (!Number.isFinite(afterMs)) throw new TypeError('The delay of a retry is not a number')
      const delay = Math.max(0, Math.ceil(afterMs)) * 1_000_000
      return end(delay === 0 ? '-NAK' : `-NAK ${JSON.stringify({ delay })}`)
    },
  }
}

function readEvent(text: string): InternalEvent {
  const event: unknown = JSON.parse(text)
  const { id, name } = Object(event) as Partial<InternalEvent>
  if (typeof id !== 'string' || typeof name !== 'string') throw new SyntaxError('It has no id, or no name')
  return event as InternalEvent
}

/**
 * `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<sequence>.<stored at>.<pending>`, with domain and account after
 * the second token on newer servers.
 *
 * @see https://docs.nats.io/reference/reference-protocols/nats_api_reference
 */
function readReply(reply: string): { readonly deliveries: number; readonly storedAt: number } {
  const tokens = reply.split('.')
  const first = tokens.length === 9 ? 4 : 6
  const nanoseconds = BigInt(tokens[first + 3] ?? 0)
  return { deliveries: Number(tokens[first]), storedAt: Number(nanoseconds / 1_000_000n) }
}
