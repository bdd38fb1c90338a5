import type { Delivery } from '@sallyport/webhooks'
import type { CursorAnchor } from '@sallyport/rest/store'

// What every runtime signs, verifies and encodes alike.

export const now = Date.UTC(2026, 0)
export const secret = 'a secret of the runtimes, of more than 32 bytes'
export const audience = { issuer: 'https://api.example', audience: 'https://api.example' }

export const bytesOf = (value: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
export const asText = (value: unknown): string => JSON.stringify(value)

export const body = bytesOf('{"name":"Zoë ☃","text":"\\u2028 $& {body}","n":1.50}')

/** A request with these headers. */
export const deliveryOf = (headers: Readonly<Record<string, string>>, content: Uint8Array): Delivery => ({
  method: 'POST',
  headers: new Headers(headers),
  body: content,
  url: 'https://hooks.example/webhooks/x?a=b%20c',
})

export const binding = 'users by name'
export const place: CursorAnchor = {
  at: 'after',
  position: ['Zoë ☃', null, 7n, new Date(now), 'id-1'],
}
export const etagged = '{"data":[]}'
