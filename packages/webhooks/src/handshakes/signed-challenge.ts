import { parseJson } from '../parsers/parse-json.ts'
import type { Handshake, HandshakeAnswer, HandshakeRequest } from '../provider/provider.ts'
import type { MaybePromise } from '../ports/ports.ts'

export interface SignedChallengeOptions {
  /** Text that the body of every challenge contains. A delivery without this text is verified only once. */
  readonly mark: string
  /** Answers a request with a valid signature; undefined when the request is not a challenge. */
  readonly answer: (payload: unknown, request: HandshakeRequest) => MaybePromise<HandshakeAnswer | undefined>
}

/** Challenges are short. */
const maximumBytes = 4096

const decoder = new TextDecoder()

/**
 * Creates a handshake for challenges that are JSON, sent by POST and signed like deliveries. The handshake verifies the
 * signature before it reads the challenge.
 *
 * @throws TypeError when the mark is empty or not a string
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

/** Returns a member of an unverified value if the member is a string. */
export function getText(value: unknown, name: string): string | undefined {
  const text = getMember(value, name)
  return typeof text === 'string' ? text : undefined
}

/** Returns an own member of an unverified value. */
export function getMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
