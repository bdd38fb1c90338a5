import { jetstream } from '@nats-io/jetstream'
import { headers as createHeaders, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import type { WebhookEvent, PublishResult } from '@sallyport/webhooks'
import { createTooLarge, notSerializable, toFailure } from './failure.ts'

export interface Message {
  readonly event: WebhookEvent
  readonly subject: string
  /** The headers for JetStream. */
  readonly headers: Readonly<Record<string, string>>
}

export interface PublishOptions {
  readonly timeoutMs: number
  /** Maximum size of a message with its headers, in bytes. @default the limit of the server */
  readonly maxBytes?: number | undefined
  /** Converts an error into a result. */
  readonly onError?: (error: unknown) => PublishResult
}

/** Sends all messages without waiting between them and returns one result per message. */
export function publishAll(
  connection: NatsConnection,
  messages: readonly Message[],
  { timeoutMs, maxBytes = Infinity, onError = toFailure }: PublishOptions,
): Promise<readonly PublishResult[]> {
  const client = jetstream(connection, { timeout: timeoutMs })
  const maximum = Math.min(maxBytes, connection.info?.max_payload ?? Infinity)
  return Promise.all(
    messages.map(async (message): Promise<PublishResult> => {
      const encoded = encode(message)
      if (encoded === undefined) return notSerializable
      // The server closes a connection that sends a larger message.
      if (encoded.bytes > maximum) return createTooLarge(maximum)
      try {
        const { duplicate } = await client.publish(message.subject, encoded.body, {
          headers: encoded.headers,
        })
        return { ok: true, duplicate }
      } catch (error) {
        return onError(error)
      }
    }),
  )
}

/** Encodes a message, or returns undefined. The error is dropped because it may quote the data. */
function encode({ event, headers: given }: Message) {
  try {
    const body = new TextEncoder().encode(JSON.stringify(event))
    const headers = createHeaders()
    const { traceparent = '', tracestate = '' } = event.trace ?? {}
    for (const [name, value] of Object.entries({ ...given, traceparent, tracestate }))
      if (value !== '') headers.set(name, value)
    return { body, headers, bytes: body.length + countHeaderBytes(headers) }
  } catch {
    return undefined
  }
}

/** Counts the header block: the version, `name: value` on a line each, and an empty line. */
function countHeaderBytes(headers: MsgHdrs): number {
  let bytes = 'NATS/1.0\r\n\r\n'.length
  for (const [name, values] of headers)
    for (const value of values) bytes += Buffer.byteLength(`${name}: ${value}\r\n`)
  return bytes
}
