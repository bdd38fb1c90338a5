import { jetstream, type JetStreamPublishOptions } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { InternalEvent, PublishResult } from '@sallyport/webhooks'
import { failureOf, tooLarge, unwritable } from './failure.ts'

/** Room for the headers' names and what the library adds to them. */
const headerBytes = 512

export interface Message {
  readonly event: InternalEvent
  readonly subject: string
  readonly options: Partial<JetStreamPublishOptions>
}

/**
 * Sends messages one behind the other without waiting in between, and answers for each.
 *
 * @param onError says what else a refusal may mean
 */
export function publishAll(
  connection: NatsConnection,
  messages: readonly Message[],
  timeoutMs: number,
  onError: (error: unknown) => PublishResult = failureOf,
): Promise<readonly PublishResult[]> {
  const client = jetstream(connection, { timeout: timeoutMs })
  const maximum = connection.info?.max_payload ?? Infinity
  return Promise.all(
    messages.map(async ({ event, subject, options }): Promise<PublishResult> => {
      const written = write(event)
      if (written === undefined) return unwritable
      const { msgID = '' } = options
      // The server ends a connection that sends it more.
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

/** Undefined for what has no such form. The reason is not kept: it may quote the data. */
function write(event: InternalEvent) {
  try {
    const body = new TextEncoder().encode(JSON.stringify(event))
    const traced = headers()
    const { traceparent = '', tracestate = '' } = event.trace ?? {}
    if (traceparent) traced.set('traceparent', traceparent)
    if (tracestate) traced.set('tracestate', tracestate)
    return { body, headers: traced, bytes: body.length + traceparent.length + tracestate.length }
  } catch {
    return undefined
  }
}
