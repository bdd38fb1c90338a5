import { JetStreamApiError } from '@nats-io/jetstream'
import { isSallyportError } from '@sallyport/errors'
import type { PublishResult } from '@sallyport/webhooks'

/** Codes of JetStream's API; the library names only some. */
const codes = { streamWouldNotTakeIt: 10077, tooLarge: 10054 }

export const tooLarge: PublishResult = {
  ok: false,
  retryable: false,
  error: 'The event is larger than NATS takes: raise max_payload of the server, and replay it',
}

/** What cannot be written today cannot be written tomorrow. */
export const unwritable: PublishResult = {
  ok: false,
  retryable: false,
  error: 'The event cannot be written as JSON, or its trace as headers',
}

/** What a failed publish means; of what the server says, nothing but an event's size is final. */
export function failureOf(error: unknown): PublishResult {
  if (error instanceof JetStreamApiError && error.code === codes.tooLarge) return tooLarge
  return { ok: false, retryable: true, error: describe(error) }
}

/** Whether the subject holds a message already, in a stream that takes one each. */
export function isSubjectTaken(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError &&
    error.code === codes.streamWouldNotTakeIt &&
    error.message.includes('per subject')
  )
}

/** The server's words, which hold no data. */
function describe(error: unknown): string {
  if (isSallyportError(error)) return error.message
  if (error instanceof JetStreamApiError) return `NATS: ${error.message} (${error.code})`
  if (error instanceof Error && error.name === 'JetStreamNotEnabled')
    return 'NATS: no stream takes the subject, or JetStream is not enabled'
  return `NATS: ${error instanceof Error ? error.message : 'no reason given'}`
}
