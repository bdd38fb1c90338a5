import { jetstream, type JetStreamPublishOptions } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { InternalEvent, PublishResult } from '@sallyport/webhooks'
import { failureOf, tooLarge } from './failure.ts'

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
      const body = new TextEncoder().encode(JSON.stringify(event))
      const traced = headers()
      const { traceparent = '', tracestate = '' } = event.trace ?? {}
      if (traceparent) traced.set('traceparent', traceparent)
      if (tracestate) traced.set('tracestate', tracestate)
      const { msgID = '' } = options
      // The server ends a connection that sends it more.
      const size = body.length + msgID.length + traceparent.length + tracestate.length + headerBytes
      if (size > maximum) return tooLarge
      try {
        const { duplicate } = await client.publish(subject, body, { ...options, headers: traced })
        return { ok: true, duplicate }
      } catch (error) {
        return onError(error)
      }
    }),
  )
}
