import { isSallyportError } from '@sallyport/errors'
import type { Delivery } from './delivery.ts'
import { withoutMessage } from './describe-failure.ts'
import type { AnyProvider, HandshakeAnswer } from './provider.ts'
import { challengeTooLarge } from './refusals.ts'
import { verify } from './verify.ts'

const maximumAnswerBytes = 1024

/**
 * The answer to a challenge, when the provider has a handshake and the request is one.
 *
 * @throws SallyportError `BAD_REQUEST` (400) when the answer would be larger than 1 KB, which no challenge needs
 */
export async function answerHandshake(
  provider: AnyProvider,
  delivery: Delivery,
  query: URLSearchParams | undefined,
  secrets: readonly string[],
  now: number,
): Promise<{ contentType: string; body: string; signed: boolean } | undefined> {
  const { handshake } = provider
  const method = handshake?.methods.find((one) => one === delivery.method)
  if (handshake === undefined || method === undefined) return undefined
  let answer: HandshakeAnswer | undefined
  try {
    answer = await handshake.answer({
      method,
      query: query ?? new URLSearchParams(),
      headers: delivery.headers,
      body: delivery.body,
      verify: async (own = secrets) => (await verify(provider, delivery, own, now)).verified,
      secrets,
    })
  } catch (error) {
    // What it says may quote what a stranger sent, or a secret.
    throw isSallyportError(error) ? error : withoutMessage(error)
  }
  if (answer && new TextEncoder().encode(answer.body).length > maximumAnswerBytes) {
    throw challengeTooLarge()
  }
  return (
    answer && {
      contentType: `${answer.contentType}; charset=utf-8`,
      body: answer.body,
      signed: answer.signed === true,
    }
  )
}
