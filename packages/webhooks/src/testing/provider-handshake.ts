import { verify } from '../gateway/verify.ts'
import type { HandshakeAnswer, HandshakeRequest } from '../provider/provider.ts'
import { leavesOf, replaced } from './provider-keys.ts'
import { type SuiteContext, deliveryOf, plainHeaders } from './provider-options.ts'
import { proofsIn, proofsOf } from './provider-tampering.ts'
import type { TestRunner } from './runner.ts'

/** A question by which a service makes sure that an address is ready for its deliveries, before it is signed. */
export interface ProviderChallenge {
  readonly method: 'GET' | 'POST'
  /** The query by name. @default none */
  readonly query?: Readonly<Record<string, string>>
  /** Headers beside the signature, by lower-case name. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** The body as a JSON value. @default no body */
  readonly body?: unknown
}

/** A handshake request without secrets. */
type Question = Pick<HandshakeRequest, 'method' | 'query' | 'headers' | 'body'>

type BytesOf = (body: unknown) => Uint8Array

const nothing = {
  query: new URLSearchParams(),
  headers: plainHeaders({}),
  body: new Uint8Array(),
} as const

function questionOf(challenge: ProviderChallenge, bytesOf: BytesOf): Question {
  const { method, query = {}, headers = {}, body } = challenge
  return {
    method,
    query: new URLSearchParams(query),
    headers: plainHeaders(headers),
    body: body === undefined ? nothing.body : bytesOf(body),
  }
}

/** A challenge with a text of somebody's choice in place of each of its own. */
function* challengesWith(challenge: ProviderChallenge, text: string): Generator<ProviderChallenge> {
  const { query = {}, headers = {}, body } = challenge
  for (const name of Object.keys(query)) yield { ...challenge, query: { ...query, [name]: text } }
  for (const name of Object.keys(headers)) yield { ...challenge, headers: { ...headers, [name]: text } }
  for (const leaf of new Set(leavesOf(body))) yield { ...challenge, body: replaced(body, leaf, text) }
}

/** What services call the challenge in a body. */
const usualNames = ['challenge', 'crc_token', 'echo', 'nonce', 'plainToken', 'token', 'verification_token']

/** Questions with a text in every place that a challenge may be in, whatever its name. */
function* questionsWith(method: Question['method'], text: string, bytesOf: BytesOf): Generator<Question> {
  yield { ...nothing, method, query: new EveryName(text) }
  const headers = {
    get: () => text,
    [Symbol.iterator]: () => plainHeaders({ challenge: text })[Symbol.iterator](),
  }
  yield { ...nothing, method, headers }
  if (method === 'GET') return
  yield { ...nothing, method, body: new TextEncoder().encode(text) }
  const named = Object.fromEntries(usualNames.map((name) => [name, text]))
  for (const body of [text, named, { data: named }, { payload: named }]) {
    yield { ...nothing, method, body: bytesOf(body) }
  }
}

/** A query that says the same under every name. */
class EveryName extends URLSearchParams {
  readonly #text: string

  constructor(text: string) {
    super(Object.fromEntries(usualNames.map((name) => [name, text])))
    this.#text = text
  }

  override get(): string {
    return this.#text
  }

  override getAll(): string[] {
    return [this.#text]
  }

  override has(): boolean {
    return true
  }
}

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
    it('does not answer deliveries and does not throw', async () => {
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

    it('does not reveal the secret', async () => {
      for (const text of [random, ...hostileTexts(context)]) {
        for (const { body } of await answersTo(text)) expect(body.includes(secret)).toBe(false)
      }
    })

    it('does not sign a text that could be a delivery', async () => {
      for (const text of hostileTexts(context)) {
        const proofs = await proofsOf(text, context)
        for (const answer of await answersTo(text)) {
          expect(holdsAny(answer, proofs) ? `signed: ${text}` : 'not signed').toBe('not signed')
        }
      }
    })

    it('marks every answer with a signature as signed', async () => {
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
