import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { InternalEvent, ReceivedEvent } from '@sallyport/webhooks'

export interface Lease {
  /** Returns the connection for the acknowledgement, which may be newer than the one of the message. */
  readonly getConnection: () => Promise<NatsConnection>
  readonly timeoutMs: number
  /** Whether the lease has not expired. */
  readonly isValid: () => boolean
}

/**
 * Wraps a message of the consumer as an event of the queue.
 *
 * @throws SyntaxError if the message is not an event
 */
export function createReceivedEvent(
  message: Msg,
  { getConnection, timeoutMs, isValid }: Lease,
): ReceivedEvent {
  // Do not retain the message: it shares its buffer with other messages.
  const { reply = '', data } = message
  const bytes = data.length
  const { deliveries, storedAt } = readReply(reply)
  let settled = false
  // A request instead of a publish: its response confirms that the next receive sees the change.
  const settle = async (command: string) => {
    if (settled || !isValid()) return false
    settled = true
    try {
      const connection = await getConnection()
      await connection.request(reply, command, { timeout: timeoutMs })
      return true
    } catch (error) {
      settled = false
      throw error
    }
  }
  return {
    event: readEvent(message.string()),
    attempts: deliveries - 1,
    since: storedAt,
    bytes,
    ack: () => settle('+ACK'),
    async retry(afterMs) {
      if (!Number.isFinite(afterMs))
        throw new TypeError('The delay of a retry must be a finite number of milliseconds')
      const delay = Math.max(0, Math.ceil(afterMs)) * 1_000_000
      return settle(delay === 0 ? '-NAK' : `-NAK ${JSON.stringify({ delay })}`)
    },
  }
}

function readEvent(text: string): InternalEvent {
  const event: unknown = JSON.parse(text)
  const { id, name } = Object(event) as Partial<InternalEvent>
  if (typeof id !== 'string' || typeof name !== 'string')
    throw new SyntaxError('The event has no id or no name')
  return event as InternalEvent
}

/**
 * Parses `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<sequence>.<stored at>.<pending>`. Newer servers insert a
 * domain and an account after the second token.
 *
 * @see https://docs.nats.io/reference/reference-protocols/nats_api_reference
 */
export function readReply(reply: string) {
  const tokens = reply.split('.')
  const first = tokens.length === 9 ? 4 : 6
  const nanoseconds = BigInt(tokens[first + 3] ?? 0)
  return {
    deliveries: Number(tokens[first]),
    /** Sequence in the stream. */
    sequence: Number(tokens[first + 1]),
    storedAt: Number(nanoseconds / 1_000_000n),
  }
}
