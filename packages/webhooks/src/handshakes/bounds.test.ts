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

const asked = (request: Partial<HandshakeRequest>): HandshakeRequest => ({
  method: 'GET',
  query: new URLSearchParams(),
  headers: new Headers(),
  body: new Uint8Array(0),
  verify: () => Promise.resolve(true),
  secrets: [secret],
  ...request,
})
const answerTo = async (handshake: Handshake, query: Readonly<Record<string, string>>) =>
  handshake.answer(asked({ query: new URLSearchParams(query) }))

const ascii = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('what is echoed', () => {
  it('is 1 to 512 letters, digits and _.~+/=-, and nothing else', () => {
    const taken = ascii.filter((one) => echo(one) !== undefined)
    expect(taken).toEqual(Array.from(`${letters}0123456789_.~+/=-`).sort())
    expect([0, 1, 512, 513].map((length) => echo('x'.repeat(length)) !== undefined)).toEqual([
      ...[false, true, true, false],
    ])
    expect(echo('challenge')).toEqual({ contentType: 'text/plain', body: 'challenge' })
  })

  it('is no line of several', () => {
    for (const text of ['a\nb', 'a\n', '\na']) expect(echo(text)).toBeUndefined()
  })

  it('to Graph is 1 to 1024 printable characters, none of which opens anything', async () => {
    const isTaken = async (validationToken: string) =>
      (await answerTo(graphHandshake(), { validationToken })) !== undefined
    for (const one of ascii) {
      const isHarmless = /[\x20-\x7e]/.test(one) && !/["&'<>]/.test(one)
      expect([one, await isTaken(one)]).toEqual([one, isHarmless])
    }
    const lengths = [0, 1, 1024, 1025].map((length) => isTaken('x'.repeat(length)))
    expect(await Promise.all(lengths)).toEqual([false, true, true, false])
  })
})

it('what is signed is 1 to 128 letters, digits, _ and -, and no JSON', async () => {
  const isTaken = async (token: string) => (await answerTo(xHandshake(), { crc_token: token })) !== undefined
  const taken: string[] = []
  for (const one of ascii) if (await isTaken(one)) taken.push(one)
  expect(taken).toEqual(Array.from(`${letters}_-`).sort())
  expect([await isTaken('x1'), await isTaken('12'), await isTaken('null')]).toEqual([true, false, false])
  const lengths = [0, 1, 128, 129].map((length) => isTaken('x'.repeat(length)))
  expect(await Promise.all(lengths)).toEqual([false, true, true, false])
})

it('a signed challenge is a body of at most 4096 bytes', async () => {
  const handshake = signedChallenge({ mark: '"ping"', answer: () => echo('pong') })
  const sized = (length: number) => new TextEncoder().encode('"ping"'.padEnd(length))
  for (const [length, body] of [
    [4096, 'pong'],
    [4097, undefined],
  ] as const) {
    const answer = await handshake.answer(asked({ method: 'POST', body: sized(length) }))
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
])('%s asks by one method', (_, { methods }, method) => {
  expect(methods).toEqual([method])
})

// Signed, and with all that a challenge has: what the field says that names it is what counts.
it.each([
  ['Slack', slackHandshake(), { type: 'event_callback', challenge: 'abc', about: 'url_verification' }],
  [
    'Zoom',
    zoomHandshake(),
    { event: 'meeting.started', payload: { plainToken: 'abc' }, about: 'endpoint.url_validation' },
  ],
])('a delivery of %s that speaks of a challenge is none', async (_, handshake, payload) => {
  const body = new TextEncoder().encode(JSON.stringify(payload))
  expect(await handshake.answer(asked({ method: 'POST', body }))).toBeUndefined()
})

it('a signed challenge that is no UTF-8 is none', async () => {
  const handshake = signedChallenge({ mark: '"ping"', answer: () => echo('pong') })
  const body = Uint8Array.from([...new TextEncoder().encode('{"type":"ping","of":"'), 0xff, 0x22, 0x7d])
  expect(await handshake.answer(asked({ method: 'POST', body }))).toBeUndefined()
})
