import type { InternalEvent } from '@sallyport/webhooks'
import type { HttpMessage } from '@sallyport/webhooks/http'

const headers = { 'content-type': 'application/json' }

/** An event as Inngest takes it; its data has to be an object. */
export function encodeEvent({ name, data, id, ts }: InternalEvent): HttpMessage {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new TypeError('Inngest takes objects as data, and nothing else')
  }
  return { headers, body: JSON.stringify({ name, data, id, ts }) }
}

export function joinEvents(messages: readonly HttpMessage[]): HttpMessage {
  return { headers, body: `[${messages.map(({ body }) => body).join(',')}]` }
}
