import type { HandshakeAnswer } from '../provider/provider.ts'

/** What random text is made of, and nothing that a browser would read as a page. */
const plain = /^[\w.~+/=-]{1,512}$/

/**
 * Answers a challenge with itself, as text; undefined when it is absent or not what random text is made of: 1 to 512
 * letters, digits and `_.~+/=-`.
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

/** Whether a challenge may be repeated in an answer of any type. */
export function isPlain(challenge: unknown): challenge is string {
  return typeof challenge === 'string' && plain.test(challenge)
}
