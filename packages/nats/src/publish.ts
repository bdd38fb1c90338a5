import { jetstream, type JetStreamPublishOptions } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { InternalEvent, PublishResult } from '@sallyport/webhooks'
import { notSerializable, toFailure, tooLarge } from './failure.ts'

/** Reserve for the header names and for the headers that the library adds. */
const headerBytes = 512

export interface Message {
  readonly event: InternalEvent
  readonly subject: string
  readonly options: Partial<JetStreamPublishOptions>
}

/**
 * Sends all messages without waiting between them and returns one result per message.
 *
 * @param onError converts an error into a result
 */
export function publishAll(
  connection: NatsConnection,
  messages: readonly Message[],
  timeoutMs: number,
  onError: (error: unknown) => PublishResult = toFailure,
): Promise<readonly PublishResult[]> {
  const client = jetstream(connection, { timeout: timeoutMs })
  const maximum = connection.info?.max_payload ?? Infinity
  return Promise.all(
    messages.map(async ({ event, subject, options }): Promise<PublishResult> => {
      const written = serialize(event)
      if (written === undefined) return notSerializable
      const { msgID = '' } = options
      // The server closes a connection that sends a larger message.
      if (written.bytes + msgID.length + headerBytes > maximum) return tooLarge
      try {
        const { duplicate } = await client.publish(subject, written.body, {
          ...options,
          headers: written.headers,
        })
        return { ok: true, duplicate }
      } catch (error) {
        return onError(error)
      }
    }),
  )
}

/** Serializes an event, or returns undefined. The error is dropped because it may quote the data. */
function serialize(event: InternalEvent) {
  try {
    const body = new TextEncoder().encode(JSON.stringify(event))
    const traceHeaders = headers()
    const { traceparent = '', tracestate = '' } = event.trace ?? {}
    if (traceparent) traceHeaders.set('traceparent', traceparent)
    if (tracestate) traceHeaders.set('tracestate', tracestate)
    return { body, headers: traceHeaders, bytes: body.length + traceparent.length + tracestate.length }
  } catch {
    return undefined
  }
}
