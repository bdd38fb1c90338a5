import type { HandshakeAnswer } from '../provider/provider.ts'

/** Random text, which a browser cannot interpret as HTML. */
const plain = /^[\w.~+/=-]{1,512}$/

/**
 * Answers a challenge with the same text. Returns undefined unless the challenge is 1 to 512 letters, digits and
 * `_.~+/=-`.
 *
 * @example
 * ```ts
 * import type { Handshake } from '@sallyport/webhooks'
 * import { echo } from '@sallyport/webhooks/handshakes'
 *
 * export const handshake: Handshake = {
 *   methods: ['GET'],
 *   answer: ({ query }) => echo(query.get('challenge')),
 * }
 * ```
 */
export function echo(challenge: unknown): HandshakeAnswer | undefined {
  return isPlain(challenge) ? { contentType: 'text/plain', body: challenge } : undefined
}

/** Reports whether any answer may contain the challenge. */
export function isPlain(challenge: unknown): challenge is string {
  return typeof challenge === 'string' && plain.test(challenge)
}
