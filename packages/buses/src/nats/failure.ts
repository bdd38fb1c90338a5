import { JetStreamApiError } from '@nats-io/jetstream'
import { isSallyportError } from '@sallyport/errors'
import type { PublishResult } from '@sallyport/webhooks'

/** An error code of the JetStream API that the library does not name. */
const tooLargeCode = 10054

/** @param maximum the limit in bytes; undefined for the limit of the stream */
export function createTooLarge(maximum?: number): PublishResult {
  const limit = maximum === undefined ? 'max_msg_size of the stream' : `${maximum} bytes`
  return {
    ...{ ok: false, retryable: false, tooLarge: true },
    error: `The event is larger than ${limit}: set dataref, or raise max_payload of the server, and replay the event`,
  }
}

/** The result for an event that cannot be serialized. A retry would fail again. */
export const notSerializable: PublishResult = {
  ok: false,
  retryable: false,
  error: 'The event cannot be written as JSON, or its trace as headers',
}

/** Converts an error into a failure. Only an event that is too large fails permanently. */
export function toFailure(error: unknown): PublishResult {
  if (error instanceof JetStreamApiError && error.code === tooLargeCode) return createTooLarge()
  return { ok: false, retryable: true, error: describe(error) }
}

/** Returns the message of an error, which holds no data. */
function describe(error: unknown): string {
  if (isSallyportError(error)) return error.message
  if (error instanceof JetStreamApiError) return `NATS: ${error.message} (${error.code})`
  if (error instanceof Error && error.name === 'JetStreamNotEnabled')
    return 'NATS: no stream takes the subject, or JetStream is not enabled'
  return `NATS: ${error instanceof Error ? error.message : 'no reason given'}`
}
