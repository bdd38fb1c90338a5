import { Buffer } from 'node:buffer'
import type { WebhookEvent, PublishResult } from '@sallyport/webhooks'

/** The largest event of a job by default, in bytes. */
export const defaultEventBytes = 64 * 1024 * 1024

/** Serializes an event, or returns the final failure of an event that is no JSON or too large. The error quotes no data. */
export function toJson(event: WebhookEvent, eventBytes: number): string | PublishResult {
  let json: string
  try {
    json = JSON.stringify(event)
  } catch {
    return { ok: false, retryable: false, error: 'The event cannot be written as JSON' }
  }
  if (Buffer.byteLength(json) <= eventBytes) return json
  return {
    ...{ ok: false, retryable: false, tooLarge: true },
    error: `The event is larger than ${eventBytes} bytes: set dataref, or raise eventBytes, and replay the event`,
  }
}
