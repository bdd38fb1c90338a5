import type { HandshakeRequest } from '../provider/provider.ts'
import { leavesOf, replaced } from './provider-leaves.ts'
import { plainHeaders } from './provider-sample.ts'

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

/** What a handshake is asked. */
export type Question = Pick<HandshakeRequest, 'method' | 'query' | 'headers' | 'body'>

type BytesOf = (body: unknown) => Uint8Array

const nothing = {
  query: new URLSearchParams(),
  headers: plainHeaders({}),
  body: new Uint8Array(),
} as const

export function questionOf(challenge: ProviderChallenge, bytesOf: BytesOf): Question {
  const { method, query = {}, headers = {}, body } = challenge
  return {
    method,
    query: new URLSearchParams(query),
    headers: plainHeaders(headers),
    body: body === undefined ? nothing.body : bytesOf(body),
  }
}

/** A challenge with a text of somebody's choice in place of each of its own. */
export function* challengesWith(challenge: ProviderChallenge, text: string): Generator<ProviderChallenge> {
  const { query = {}, headers = {}, body } = challenge
  for (const name of Object.keys(query)) yield { ...challenge, query: { ...query, [name]: text } }
  for (const name of Object.keys(headers)) yield { ...challenge, headers: { ...headers, [name]: text } }
  for (const leaf of new Set(leavesOf(body))) yield { ...challenge, body: replaced(body, leaf, text) }
}

/** What services call the challenge in a body. */
const usualNames = ['challenge', 'crc_token', 'echo', 'nonce', 'plainToken', 'token', 'verification_token']

/** Questions with a text in every place that a challenge may be in, whatever its name. */
export function* questionsWith(
  method: Question['method'],
  text: string,
  bytesOf: BytesOf,
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
