import { describe, expect, it } from 'vitest'
import { fitbit } from './services/fitbit.ts'
import { meta } from './services/meta.ts'
import { oura } from './services/oura.ts'
import { strava } from './services/strava.ts'
import { youtube } from './services/youtube.ts'

const now = Date.UTC(2026, 0)
const secrets = ['client-secret', 'verify:token-in-a-log']

const challenge = (query: Readonly<Record<string, string>>) => ({
  method: 'GET' as const,
  query: new URLSearchParams(query),
  headers: new Headers(),
  body: new Uint8Array(),
  verify: () => Promise.resolve(false),
  secrets,
})

const hub = (token: string) => ({
  'hub.mode': 'subscribe',
  'hub.challenge': '42',
  'hub.verify_token': token,
})

describe.each([
  { provider: meta, query: hub },
  { provider: youtube, query: hub },
  { provider: strava, query: hub },
  { provider: oura, query: (token: string) => ({ challenge: '42', verification_token: token }) },
  { provider: fitbit, query: (token: string) => ({ verify: token }) },
])('the verify token of $provider.name', ({ provider, query }) => {
  const { signature, handshake } = provider

  it('answers the handshake, and the secret does not', async () => {
    const read = async (token: string) => (await handshake?.answer(challenge(query(token))))?.status ?? 200
    const isAnswered = async (token: string) =>
      (await handshake?.answer(challenge(query(token)))) !== undefined && (await read(token)) < 300
    expect(await isAnswered('token-in-a-log')).toBe(true)
    for (const token of ['client-secret', 'verify:token-in-a-log', '']) {
      expect({ token, answered: await isAnswered(token) }).toEqual({ token, answered: false })
    }
  })

  // Regression: each secret was a key of deliveries, so that a person with the logs of a proxy could sign.
  it('does not verify a delivery', async () => {
    const delivery = { method: 'POST', headers: new Headers({ 'x-oura-timestamp': '1767225600' }) }
    const body = new TextEncoder().encode('{}')
    const verify = async (secret: string) => {
      const signed = await signature.sign({ ...delivery, body }, secret, now)
      const headers = new Headers({ ...Object.fromEntries(delivery.headers), ...signed })
      return (await signature.verify({ ...delivery, headers, body }, secrets, now)).verified
    }
    expect(await verify('client-secret')).toBe(true)
    expect(await verify('token-in-a-log')).toBe(false)
    expect(await verify('verify:token-in-a-log')).toBe(false)
  })
})
