import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { doorbell, secret } from '../../test/doorbell.ts'
import { hmac, signedTime, type HandshakeRequest } from '../index.ts'
import type { HandshakeAnswer } from '../provider/provider.ts'
import { parseJson } from '../parsers/parse-json.ts'
import { metaHandshake, oktaHandshake, slackHandshake, xHandshake, zoomHandshake } from './index.ts'

const encoder = new TextEncoder()
const encodeBody = (value: unknown) =>
  encoder.encode(typeof value === 'string' ? value : JSON.stringify(value))

const createRequest = (request: Partial<HandshakeRequest>): HandshakeRequest => ({
  method: 'GET',
  query: new URLSearchParams(),
  headers: new Headers(),
  body: new Uint8Array(0),
  // The worst case: the attacker can sign challenges.
  verify: async () => true,
  secrets: [secret],
  ...request,
})

/** Random text, and text that an attacker could use as a delivery. */
const token = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json(),
  fc.integer().map(String),
  fc.double().map(String),
  fc.constantFrom('true', 'false', 'null', '0', '-1', '1e5', '{}', '[]', '""'),
  fc.json().map((body) => `v0:1767225600:${body}`),
  fc.stringMatching(/^[A-Za-z0-9_-]{0,140}$/),
  fc.base64String(),
)

const xScheme = hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-proof', prefix: 'sha256=' })
const zoomScheme = hmac({
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-proof',
  prefix: 'v0=',
  timestamp: signedTime({ header: 'x-time' }),
  content: ({ timestamp, body }) => ['v0:', timestamp, ':', body],
})

const isJson = (text: string) => {
  try {
    parseJson(encodeBody(text))
    return true
  } catch {
    return false
  }
}

const getMember = (answer: HandshakeAnswer, name: string) =>
  String((JSON.parse(answer.body) as Readonly<Record<string, unknown>>)[name])

const many = { numRuns: 2000 }

describe('handshake with signed answers', () => {
  it('X does not sign text that could be the body of a delivery', async () => {
    const handshake = xHandshake()
    let signed = 0
    await fc.assert(
      fc.asyncProperty(token, async (text) => {
        const answer = await handshake.answer(
          createRequest({ query: new URLSearchParams({ crc_token: text }) }),
        )
        if (answer === undefined) return
        signed += 1
        expect(answer.signed).toBe(true)
        expect(text).toMatch(/^[A-Za-z0-9_-]{1,128}$/)
        // The answer is the signature of this body, which is not a delivery.
        const headers = new Headers({ 'x-proof': getMember(answer, 'response_token') })
        const delivery = { method: 'POST', headers, body: encodeBody(text) }
        expect(await xScheme.verify(delivery, [secret], 0)).toMatchObject({ verified: true })
        expect(isJson(text)).toBe(false)
      }),
      many,
    )
    expect(signed).toBeGreaterThan(0)
  })

  it('Zoom does not sign text that could be a time and a body', async () => {
    const handshake = zoomHandshake()
    let signed = 0
    await fc.assert(
      fc.asyncProperty(token, async (plainToken) => {
        const body = encodeBody({ event: 'endpoint.url_validation', payload: { plainToken } })
        const answer = await handshake.answer(createRequest({ method: 'POST', body }))
        if (answer === undefined) return
        signed += 1
        expect(answer.signed).toBe(true)
        const proof = `v0=${getMember(answer, 'encryptedToken')}`
        // No split into a time and a body is a valid delivery.
        for (let border = 0; border <= plainToken.length; border++) {
          const headers = new Headers({ 'x-proof': proof, 'x-time': plainToken.slice(0, border) })
          const delivery = { method: 'POST', headers, body: encodeBody(plainToken.slice(border)) }
          expect(await zoomScheme.verify(delivery, [secret], 0)).toMatchObject({ verified: false })
        }
      }),
      many,
    )
    expect(signed).toBeGreaterThan(0)
  })

  it('Zoom and Slack do not answer an invalid signature', async () => {
    const verify = async () => false
    await fc.assert(
      fc.asyncProperty(token, async (text) => {
        for (const [handshake, payload] of [
          [zoomHandshake(), { event: 'endpoint.url_validation', payload: { plainToken: text } }],
          [slackHandshake(), { type: 'url_verification', challenge: text }],
        ] as const) {
          const request = createRequest({ method: 'POST', body: encodeBody(payload), verify })
          expect(await handshake.answer(request)).toBeUndefined()
        }
      }),
      many,
    )
  })

  it('does not sign with an empty secret', async () => {
    const query = new URLSearchParams({ crc_token: 'challenge_string' })
    const validation = { event: 'endpoint.url_validation', payload: { plainToken: 'token' } }
    for (const secrets of [[''], []]) {
      expect(await xHandshake().answer(createRequest({ query, secrets }))).toBeUndefined()
      const request = createRequest({ method: 'POST', body: encodeBody(validation), secrets })
      expect(await zoomHandshake().answer(request)).toBeUndefined()
    }
  })

  it('echoes no HTML and at most 1 KB', async () => {
    const verifyToken = 'verify token'
    await fc.assert(
      fc.asyncProperty(fc.oneof(token, fc.string({ maxLength: 2000 })), async (text) => {
        const query = { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': text }
        const body = encodeBody({ type: 'url_verification', challenge: text })
        const get = (name: string) => (name === 'x-okta-verification-challenge' ? text : null)
        const answers = [
          await metaHandshake({ verifyToken }).answer(createRequest({ query: new URLSearchParams(query) })),
          await slackHandshake().answer(createRequest({ method: 'POST', body })),
          await oktaHandshake().answer(
            createRequest({ headers: { get, [Symbol.iterator]: () => [].values() } }),
          ),
        ]
        for (const answer of answers) {
          if (answer === undefined) continue
          expect(answer.signed ?? false).toBe(false)
          expect(answer.body).not.toMatch(/[<>&]/)
          expect(encodeBody(answer.body).length).toBeLessThanOrEqual(1024)
        }
      }),
      many,
    )
  })

  it('accepts only the configured verify tokens', async () => {
    const handshake = metaHandshake({ verifyToken: ['one', 'another'] })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(token, fc.constantFrom('one', 'another', 'on', 'One', 'one ')),
        async (text) => {
          const query = { 'hub.mode': 'subscribe', 'hub.verify_token': text, 'hub.challenge': '1' }
          const answer = await handshake.answer(createRequest({ query: new URLSearchParams(query) }))
          expect(answer !== undefined).toBe(text === 'one' || text === 'another')
        },
      ),
    )
  })
})

describe('body that is not a challenge', () => {
  const handshake = zoomHandshake()
  const mark = '"endpoint.url_validation"'
  it.each([
    ['malformed JSON', `{"event":${mark}`],
    ['a string', mark],
    ['another event that mentions the type', JSON.stringify({ event: 'meeting.started', about: [mark] })],
    ['a missing token', JSON.stringify({ event: 'endpoint.url_validation', payload: null })],
    ['a token that is a number', `{"event":${mark},"payload":{"plainToken":7}}`],
    ['more than 4 KB', JSON.stringify({ event: 'endpoint.url_validation', fill: 'x'.repeat(4096) })],
  ])('%s', async (_, body) => {
    expect(await handshake.answer(createRequest({ method: 'POST', body: encodeBody(body) }))).toBeUndefined()
  })
})

it('does not verify a body without the mark', async () => {
  let verified = 0
  const verify = async () => ++verified > 0
  await slackHandshake().answer(
    createRequest({ method: 'POST', body: encodeBody({ kind: doorbell.name }), verify }),
  )
  expect(verified).toBe(0)
})
