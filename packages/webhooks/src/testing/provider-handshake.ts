import { verify } from '../provider/verify.ts'
import type { HandshakeAnswer, HandshakeRequest } from '../provider/provider.ts'
import { listLeaves, replaced } from './provider-keys.ts'
import { type SuiteContext, createRequest, plainHeaders } from './provider-options.ts'
import { findProofs, computeProofs } from './provider-tampering.ts'
import type { TestRunner } from './runner.ts'

/** A challenge by which a service checks an endpoint, before its signature. */
export interface ProviderChallenge {
  readonly method: 'GET' | 'POST'
  /** The query by name. @default none */
  readonly query?: Readonly<Record<string, string>>
  /** Headers other than the signature by lower-case name. @default none */
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

function getQuestion(challenge: ProviderChallenge, encodeSample: BytesOf): Question {
  const { method, query = {}, headers = {}, body } = challenge
  return {
    method,
    query: new URLSearchParams(query),
    headers: plainHeaders(headers),
    body: body === undefined ? nothing.body : encodeSample(body),
  }
}

/** Replaces the texts of a challenge by a text of an attacker. */
function* challengesWith(challenge: ProviderChallenge, text: string): Generator<ProviderChallenge> {
  const { query = {}, headers = {}, body } = challenge
  for (const name of Object.keys(query)) yield { ...challenge, query: { ...query, [name]: text } }
  for (const name of Object.keys(headers)) yield { ...challenge, headers: { ...headers, [name]: text } }
  for (const leaf of new Set(listLeaves(body))) yield { ...challenge, body: replaced(body, leaf, text) }
}

/** Usual names of the challenge in a body. */
const usualNames = ['challenge', 'crc_token', 'echo', 'nonce', 'plainToken', 'token', 'verification_token']

/** Creates challenges with a text in every possible member. */
function* questionsWith(
  method: Question['method'],
  text: string,
  encodeSample: BytesOf,
): Generator<Question> {
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
    yield { ...nothing, method, body: encodeSample(body) }
  }
}

/** A query that returns the same value for every name. */
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

/** The gateway rejects larger answers. */
const maximumAnswer = 1024

/** A random text. Its signature does not match a delivery. */
const random = 'Kf83hPdk20sLmQ7xV4tR'

/** Defines the tests of handshakes. */
export function testHandshake({ describe, it, expect }: TestRunner, context: SuiteContext): void {
  const { provider, samples, challenges, secret, now, url, encodeSample } = context
  const { handshake, signature } = provider
  if (handshake === undefined) return

  /** Calls the handshake like the gateway. */
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

  /** Creates the challenges of an attacker with a text of the attacker. */
  function* questionsOf(text: string): Generator<Question> {
    for (const method of handshake?.methods ?? []) yield* questionsWith(method, text, encodeSample)
    for (const challenge of challenges) {
      for (const changed of challengesWith(challenge, text)) yield getQuestion(changed, encodeSample)
    }
  }

  /** Answers a challenge that an attacker had signed, which is the worst case. */
  async function answersTo(text: string): Promise<readonly HandshakeAnswer[]> {
    const answers: HandshakeAnswer[] = []
    for (const question of questionsOf(text)) {
      const answer = await ask(question, true).catch(() => undefined)
      if (answer !== undefined) answers.push(answer)
    }
    return answers
  }

  const holdsAny = ({ body }: HandshakeAnswer, proofs: ReadonlySet<string>): boolean =>
    [...findProofs(body)].some((proof) => proofs.has(proof))

  describe('handshake', () => {
    it('does not answer deliveries and does not throw', async () => {
      if (!handshake.methods.includes('POST')) return
      for (const { kind, headers, body } of samples) {
        const bytes = encodeSample(body)
        const signed = await signature.sign(createRequest(headers, bytes, url), secret, now)
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
          const question = getQuestion(challenge, encodeSample)
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
        const proofs = await computeProofs(text, context)
        for (const answer of await answersTo(text)) {
          expect(holdsAny(answer, proofs) ? `signed: ${text}` : 'not signed').toBe('not signed')
        }
      }
    })

    it('marks every answer with a signature as signed', async () => {
      const proofs = await computeProofs(random, context)
      for (const answer of await answersTo(random)) {
        expect(answer.signed === true || !holdsAny(answer, proofs)).toBe(true)
      }
    })
  })
}

/** Lists texts that an attacker would want to have signed: bodies, also with the parts that schemes add. */
function hostileTexts({ samples, encodeSample, now }: SuiteContext): readonly string[] {
  const decoder = new TextDecoder()
  const body = '{"a":"b"}'
  const time = Math.floor(now / 1000)
  return [
    ...samples.map((sample) => decoder.decode(encodeSample(sample.body))),
    body,
    '{}',
    'true',
    '123',
    ...[`${time}.`, `${time}:`, `v0:${time}:`, `id-1.${time}.`].map((before) => before + body),
  ]
}
