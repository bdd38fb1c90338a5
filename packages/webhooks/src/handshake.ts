import { isSallyportError } from '@sallyport/errors'
import { utf8 } from './crypto/bytes.ts'
import type { Delivery } from './delivery.ts'
import { withoutMessage } from './describe-failure.ts'
import type { AnyProvider, Handshake, HandshakeAnswer } from './provider.ts'
import { inTime } from './provider-time.ts'
import { badRequest } from './refusals.ts'
import { verify } from './verify.ts'

const maximumAnswerBytes = 1024

/**
 * The answer to a challenge, when the request is one.
 *
 * @throws SallyportError `BAD_REQUEST` (400) when the answer would be larger than 1 KB, which no challenge needs, and
 *   `PROVIDER_UNAVAILABLE` (503) when it takes longer than 10 seconds
 */
export async function answerHandshake(
  handshake: Handshake,
  provider: AnyProvider,
  delivery: Delivery,
  query: URLSearchParams | undefined,
  secrets: readonly string[],
  now: number,
): Promise<HandshakeAnswer | undefined> {
  const method = handshake.methods.find((one) => one === delivery.method)
  if (method === undefined) return undefined
  let answer: HandshakeAnswer | undefined
  try {
    answer = await inTime(
      handshake.answer({
        method,
        query: query ?? new URLSearchParams(),
        headers: delivery.headers,
        body: delivery.body,
        verify: async (own = secrets) => (await verify(provider, delivery, own, now)).verified,
        secrets,
      }),
    )
  } catch (error) {
    // What it says may quote what a stranger sent, or a secret.
    throw isSallyportError(error) ? error : withoutMessage(error)
  }
  if (answer && utf8(answer.body).length > maximumAnswerBytes) throw badRequest('The challenge is too long')
  return answer
}
