import type { HandshakeAnswer } from '../provider/provider.ts'
import { verify } from '../gateway/verify.ts'
import { challengesWith, questionOf, questionsWith, type Question } from './provider-challenge.ts'
import type { SuiteContext } from './provider-context.ts'
import { proofsIn, proofsOf } from './provider-proofs.ts'
import { deliveryOf, plainHeaders } from './provider-sample.ts'
import type { TestRunner } from './runner.ts'

/** Larger answers are refused by the gateway. */
const maximumAnswer = 1024

/** Random text, as services send: whoever has it signed has signed no delivery. */
const random = 'Kf83hPdk20sLmQ7xV4tR'

/** The tests of a provider's handshake: it takes no delivery out of its way, and gives nothing away. */
export function testHandshake({ describe, it, expect }: TestRunner, context: SuiteContext): void {
  const { provider, samples, challenges, secret, now, url, bytesOf } = context
  const { handshake, signature } = provider
  if (handshake === undefined) return

  /** Asks as the gateway does. */
  const ask = async (question: Question, verified?: boolean): Promise<HandshakeAnswer | undefined> => {
    const delivery = { ...question, ...(url !== undefined && { url }) }
    const isVerified = async (secrets: readonly string[]) =>
      (await verify(provider, delivery, secrets, now)).verified
    return handshake.answer({
      ...question,
      verify: async (own = [secret]) => verified ?? isVerified(own),
      secrets: [secret],
    })
  }

  /** What strangers may ask, with a text of their choice. */
  function* questionsOf(text: string): Generator<Question> {
    for (const method of handshake?.methods ?? []) yield* questionsWith(method, text, bytesOf)
    for (const challenge of challenges) {
      for (const changed of challengesWith(challenge, text)) yield questionOf(changed, bytesOf)
    }
  }

  /** Answers to whoever can have his questions signed: the worst case. */
  async function answersTo(text: string): Promise<readonly HandshakeAnswer[]> {
    const answers: HandshakeAnswer[] = []
    for (const question of questionsOf(text)) {
      const answer = await ask(question, true).catch(() => undefined)
      if (answer !== undefined) answers.push(answer)
    }
    return answers
  }

  const holdsAny = ({ body }: HandshakeAnswer, proofs: ReadonlySet<string>): boolean =>
    [...proofsIn(body)].some((proof) => proofs.has(proof))

  describe('handshake', () => {
    it('answers no delivery, signed or not, and throws about none', async () => {
      if (!handshake.methods.includes('POST')) return
      for (const { kind, headers, body } of samples) {
        const bytes = bytesOf(body)
        const signed = await signature.sign(deliveryOf(headers, bytes, url), secret, now)
        for (const all of [headers, { ...headers, ...signed }]) {
          const delivery = { method: 'POST', headers: plainHeaders(all), body: bytes } as const
          const outcome = await ask({ ...delivery, query: new URLSearchParams() }).then(
            (answer) => (answer === undefined ? 'left alone' : 'answered'),
            () => 'thrown about',
          )
          expect({ kind, signed: all !== headers, outcome }).toEqual({
            kind,
            signed: all !== headers,
            outcome: 'left alone',
          })
        }
      }
    })

    if (challenges.length > 0) {
      it('answers the challenges of the service', async () => {
        for (const challenge of challenges) {
          const question = questionOf(challenge, bytesOf)
          const delivery = { ...question, ...(url !== undefined && { url }) }
          const signed = challenge.method === 'POST' ? await signature.sign(delivery, secret, now) : {}
          const headers = plainHeaders({ ...challenge.headers, ...signed })
          const answer = await ask({ ...question, headers })
          const bytes = answer && new TextEncoder().encode(answer.body).length
          expect({ challenge, answered: bytes !== undefined && bytes <= maximumAnswer }).toEqual({
            challenge,
            answered: true,
          })
        }
      })
    }

    it('tells nobody the secret', async () => {
      for (const text of [random, ...hostileTexts(context)]) {
        for (const { body } of await answersTo(text)) expect(body.includes(secret)).toBe(false)
      }
    })

    it('signs no text that could be a delivery', async () => {
      for (const text of hostileTexts(context)) {
        const proofs = await proofsOf(text, context)
        for (const answer of await answersTo(text)) {
          expect(holdsAny(answer, proofs) ? `signed: ${text}` : 'not signed').toBe('not signed')
        }
      }
    })

    it('says of every answer with a signature in it that it is signed', async () => {
      const proofs = await proofsOf(random, context)
      for (const answer of await answersTo(random)) {
        expect(answer.signed === true || !holdsAny(answer, proofs)).toBe(true)
      }
    })
  })
}

/** What somebody without the secret would have signed: bodies, and what schemes sign around them. */
function hostileTexts({ samples, bytesOf, now }: SuiteContext): readonly string[] {
  const decoder = new TextDecoder()
  const body = '{"a":"b"}'
  const time = Math.floor(now / 1000)
  return [
    ...samples.map((sample) => decoder.decode(bytesOf(sample.body))),
    body,
    '{}',
    'true',
    '123',
    ...[`${time}.`, `${time}:`, `v0:${time}:`, `id-1.${time}.`].map((before) => before + body),
  ]
}
