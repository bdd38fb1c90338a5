import { parseJson } from '../gateway/parse-json.ts'
import type { Handshake, HandshakeAnswer, HandshakeRequest } from '../provider/provider.ts'
import type { MaybePromise } from '../ports/ports.ts'

export interface SignedChallengeOptions {
  /** What the body of every challenge has in it, letter by letter: a delivery without it is not verified twice. */
  readonly mark: string
  /** Answers the body of a request whose signature holds; undefined when it is no challenge. */
  readonly answer: (payload: unknown, request: HandshakeRequest) => MaybePromise<HandshakeAnswer | undefined>
}

/** Challenges are a line or two. */
const maximumBytes = 4096

const decoder = new TextDecoder()

/**
 * A handshake for challenges that come by POST as JSON and are signed as deliveries are. It answers nobody who cannot
 * sign, and nothing in a body is believed before its signature holds.
 *
 * @throws TypeError when the mark is empty, which every delivery has in it, or no text
 *
 * @example
 * ```ts
 * import { echo, signedChallenge } from '@sallyport/webhooks/handshakes'
 * import { z } from 'zod'
 *
 * const ping = z.object({ type: z.literal('ping'), nonce: z.string() })
 *
 * export const handshake = signedChallenge({
 *   mark: '"ping"',
 *   answer: (payload) => echo(ping.safeParse(payload).data?.nonce),
 * })
 * ```
 */
export function signedChallenge({ mark, answer }: SignedChallengeOptions): Handshake {
  if (typeof mark !== 'string' || mark === '') throw new TypeError('mark must be text that is not empty')
  return {
    methods: ['POST'],
    async answer(request) {
      const { body, verify } = request
      if (body.length > maximumBytes || !decoder.decode(body).includes(mark)) return undefined
      if (!(await verify())) return undefined
      let payload: unknown
      try {
        payload = parseJson(body)
      } catch {
        return undefined
      }
      return answer(payload, request)
    },
  }
}

/** A member of what a stranger sent, if it is text. */
export function textIn(value: unknown, name: string): string | undefined {
  const text = memberOf(value, name)
  return typeof text === 'string' ? text : undefined
}

/** A member of what a stranger sent. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
