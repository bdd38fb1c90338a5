import { utf8 } from '../crypto/bytes.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { AnyProvider, Handshake, HandshakeAnswer, HandshakeRequest } from '../provider/provider.ts'
import { badRequest } from './refusals.ts'
import { verify } from './verify.ts'

const maximumAnswerBytes = 1024

/**
 * The answer to a challenge, when the request is one.
 *
 * @throws SallyportError `BAD_REQUEST` (400) when the answer would be larger than 1 KB, which no challenge needs
 */
export async function answerHandshake(
  handshake: Handshake,
  provider: AnyProvider,
  delivery: Delivery,
  secrets: readonly string[],
  now: number,
  query = new URLSearchParams(),
): Promise<HandshakeAnswer | undefined> {
  const method = delivery.method as HandshakeRequest['method']
  if (!handshake.methods.includes(method)) return undefined
  const answer = await handshake.answer({
    ...delivery,
    method,
    query,
    verify: async (own = secrets) => (await verify(provider, delivery, own, now)).verified,
    secrets,
  })
  if (answer && utf8(answer.body).length > maximumAnswerBytes) throw badRequest('The challenge is too long')
  return answer
}
