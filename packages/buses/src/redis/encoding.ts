import { hash } from 'node:crypto'
import type { WebhookEvent } from '@sallyport/webhooks'

/** Hashes an event id into plain text of a fixed length, for a key. */
export function hashId(id: string): string {
  // JSON escapes lone surrogates, which UTF-8 would replace with the same character.
  return hash('sha256', JSON.stringify(id), 'hex')
}

/** Serializes an event, or returns undefined. The error is dropped because it may quote the data. */
export function toJson(event: WebhookEvent): string | undefined {
  try {
    return JSON.stringify(event)
  } catch {
    return undefined
  }
}
