import type { Delivery } from '@sallyport/webhooks'
import type { CursorAnchor } from '@sallyport/rest/store'

// Fixed values that every runtime signs, verifies and encodes.

export const now = Date.UTC(2026, 0)
export const secret = 'a secret of the runtimes, of more than 32 bytes'
export const audience = { issuer: 'https://api.example', audience: 'https://api.example' }

export const toBytes = (value: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
export const toJson = (value: unknown): string => JSON.stringify(value)

export const body = toBytes('{"name":"Zoë ☃","text":"\\u2028 $& {body}","n":1.50}')

/** Creates a delivery with headers. */
export const createDelivery = (headers: Readonly<Record<string, string>>, content: Uint8Array): Delivery => ({
  method: 'POST',
  headers: new Headers(headers),
  body: content,
  url: 'https://hooks.example/webhooks/x?a=b%20c',
})

export const binding = 'users by name'
export const cursorAnchor: CursorAnchor = {
  at: 'after',
  position: ['Zoë ☃', null, 7n, new Date(now), 'id-1'],
}
export const etagged = '{"data":[]}'
