import { describe, expect, it } from 'vitest'
import { secret } from '../../test/doorbell.ts'
import type { Handshake, HandshakeRequest } from '../index.ts'
import {
  echo,
  graphHandshake,
  metaHandshake,
  oktaHandshake,
  signedChallenge,
  slackHandshake,
  xHandshake,
  zoomHandshake,
} from './index.ts'

const createRequest = (request: Partial<HandshakeRequest>): HandshakeRequest => ({
  method: 'GET',
  query: new URLSearchParams(),
  headers: new Headers(),
  body: new Uint8Array(0),
  verify: () => Promise.resolve(true),
  secrets: [secret],
  ...request,
})
const answerQuery = async (handshake: Handshake, query: Readonly<Record<string, string>>) =>
  handshake.answer(createRequest({ query: new URLSearchParams(query) }))

const ascii = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('echoed challenge', () => {
  it('has 1 to 512 letters, digits and _.~+/=-', () => {
    const accepted = ascii.filter((one) => echo(one) !== undefined)
    expect(accepted).toEqual(Array.from(`${letters}0123456789_.~+/=-`).sort())
    expect([0, 1, 512, 513].map((length) => echo('x'.repeat(length)) !== undefined)).toEqual([
      ...[false, true, true, false],
    ])
    expect(echo('challenge')).toEqual({ contentType: 'text/plain', body: 'challenge' })
  })

  it('has no line break', () => {
    for (const text of ['a\nb', 'a\n', '\na']) expect(echo(text)).toBeUndefined()
  })

  it('has 1 to 1024 printable characters without HTML special characters for Graph', async () => {
    const isAccepted = async (validationToken: string) =>
      (await answerQuery(graphHandshake(), { validationToken })) !== undefined
    for (const one of ascii) {
      const isHarmless = /[\x20-\x7e]/.test(one) && !/["&'<>]/.test(one)
      expect([one, await isAccepted(one)]).toEqual([one, isHarmless])
    }
    const lengths = [0, 1, 1024, 1025].map((length) => isAccepted('x'.repeat(length)))
    expect(await Promise.all(lengths)).toEqual([false, true, true, false])
  })
})

it('signs only 1 to 128 letters, digits, _ and - that are not JSON', async () => {
  const isAccepted = async (token: string) =>
    (await answerQuery(xHandshake(), { crc_token: token })) !== undefined
  const accepted: string[] = []
  for (const one of ascii) if (await isAccepted(one)) accepted.push(one)
  expect(accepted).toEqual(Array.from(`${letters}_-`).sort())
  expect([await isAccepted('x1'), await isAccepted('12'), await isAccepted('null')]).toEqual([
    true,
    false,
    false,
  ])
  const lengths = [0, 1, 128, 129].map((length) => isAccepted('x'.repeat(length)))
  expect(await Promise.all(lengths)).toEqual([false, true, true, false])
})

it('limits the body of a signed challenge to 4096 bytes', async () => {
  const handshake = signedChallenge({ mark: '"ping"', answer: () => echo('pong') })
  const sized = (length: number) => new TextEncoder().encode('"ping"'.padEnd(length))
  for (const [length, body] of [
    [4096, 'pong'],
    [4097, undefined],
  ] as const) {
    const answer = await handshake.answer(createRequest({ method: 'POST', body: sized(length) }))
    expect(answer?.body).toBe(body)
  }
})

it.each([
  ['Meta', metaHandshake({ verifyToken: 'a' }), 'GET'],
  ['Okta', oktaHandshake(), 'GET'],
  ['X', xHandshake(), 'GET'],
  ['Graph', graphHandshake(), 'POST'],
  ['Slack', slackHandshake(), 'POST'],
  ['Zoom', zoomHandshake(), 'POST'],
])('%s uses one method', (_, { methods }, method) => {
  expect(methods).toEqual([method])
})

// The type of the payload decides, not a mention of the challenge.
it.each([
  ['Slack', slackHandshake(), { type: 'event_callback', challenge: 'abc', about: 'url_verification' }],
  [
    'Zoom',
    zoomHandshake(),
    { event: 'meeting.started', payload: { plainToken: 'abc' }, about: 'endpoint.url_validation' },
  ],
])('%s does not answer a delivery that mentions a challenge', async (_, handshake, payload) => {
  const body = new TextEncoder().encode(JSON.stringify(payload))
  expect(await handshake.answer(createRequest({ method: 'POST', body }))).toBeUndefined()
})

it('does not answer a signed challenge with invalid UTF-8', async () => {
  const handshake = signedChallenge({ mark: '"ping"', answer: () => echo('pong') })
  const body = Uint8Array.from([...new TextEncoder().encode('{"type":"ping","of":"'), 0xff, 0x22, 0x7d])
  expect(await handshake.answer(createRequest({ method: 'POST', body }))).toBeUndefined()
})
