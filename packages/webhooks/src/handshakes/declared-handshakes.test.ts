import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Handshake, HandshakeRequest } from '../index.ts'
import {
  cloudEventsHandshake,
  ebayHandshake,
  echoHandshake,
  fixedHandshake,
  secretHandshake,
} from './index.ts'

interface Sent {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  readonly isVerified?: boolean
}

const answer = (handshake: Handshake, { query = '', headers = {}, json, text, isVerified = false }: Sent) => {
  const request: HandshakeRequest = {
    method: handshake.methods[0] ?? 'POST',
    query: new URLSearchParams(query),
    headers: new Headers(headers),
    body: new TextEncoder().encode(text ?? (json === undefined ? '' : JSON.stringify(json))),
    verify: () => Promise.resolve(isVerified),
    secrets: ['secret'],
  }
  return handshake.answer(request)
}

describe('echoHandshake', () => {
  it('answers a query parameter as text', async () => {
    const dropbox = echoHandshake({ from: { query: 'challenge' } })
    expect(dropbox.methods).toEqual(['GET'])
    expect(await answer(dropbox, { query: 'challenge=abc' })).toEqual({
      contentType: 'text/plain',
      body: 'abc',
    })
    for (const query of ['', 'challenge=', 'challenge=<b>', `challenge=${'a'.repeat(513)}`]) {
      expect(await answer(dropbox, { query })).toBeUndefined()
    }
  })

  it('answers a member of the body as JSON', async () => {
    const eventGrid = echoHandshake({
      from: { json: '0.data.validationCode' },
      as: { json: 'validationResponse' },
      when: { headers: { 'aeg-event-type': 'SubscriptionValidation' } },
    })
    const headers = { 'aeg-event-type': 'SubscriptionValidation' }
    const json = [{ data: { validationCode: 'c-1' } }]
    expect(await answer(eventGrid, { headers, json })).toEqual({
      contentType: 'application/json',
      body: '{"validationResponse":"c-1"}',
    })
    expect(await answer(eventGrid, { json })).toBeUndefined()
    const padding = ' '.repeat(4096)
    expect(await answer(eventGrid, { headers, text: JSON.stringify(json) + padding })).toBeUndefined()
  })

  it('answers a header in a header', async () => {
    const as = { header: 'validation-token' }
    const ringCentral = echoHandshake({ from: as, as })
    expect(await answer(ringCentral, { headers: { 'validation-token': 't-1' } })).toEqual({
      contentType: 'text/plain',
      body: '',
      headers: { 'validation-token': 't-1' },
    })
  })

  it('answers only a request with a configured token', async () => {
    const token = { query: 'hub.verify_token', values: ['new', 'old'] }
    const strava = echoHandshake({ from: { query: 'hub.challenge' }, as: { json: 'hub.challenge' }, token })
    expect(await answer(strava, { query: 'hub.challenge=c&hub.verify_token=old' })).toMatchObject({
      body: '{"hub.challenge":"c"}',
    })
    for (const query of ['hub.challenge=c', 'hub.challenge=c&hub.verify_token=other']) {
      expect(await answer(strava, { query })).toBeUndefined()
    }
    expect(() => echoHandshake({ from: { query: 'c' }, token: { query: 't', values: '' } })).toThrow(
      TypeError,
    )
  })

  it('verifies a signed challenge before the answer', async () => {
    const twitch = echoHandshake({ from: { json: 'challenge' }, signed: true })
    expect(await answer(twitch, { json: { challenge: 'c' } })).toBeUndefined()
    expect(await answer(twitch, { json: { challenge: 'c' }, isVerified: true })).toMatchObject({ body: 'c' })
  })
})

describe('fixedHandshake', () => {
  it('answers a probe with a status', async () => {
    const probe = fixedHandshake({ methods: ['HEAD'], status: 204 })
    expect(await answer(probe, {})).toEqual({ contentType: 'text/plain', body: '', status: 204 })
  })

  it('answers a signed ping with JSON', async () => {
    const discord = fixedHandshake({ when: { json: { type: '1' } }, signed: true, json: { type: 1 } })
    expect(await answer(discord, { json: { type: 1 }, isVerified: true })).toEqual({
      contentType: 'application/json',
      body: '{"type":1}',
    })
    expect(await answer(discord, { json: { type: 1 } })).toBeUndefined()
    expect(await answer(discord, { json: { type: 2 }, isVerified: true })).toBeUndefined()
  })

  it('answers a form and a query with text', async () => {
    const form = fixedHandshake({ when: { form: { ssl_check: '1' } }, text: 'ok' })
    expect(await answer(form, { text: 'token=t&ssl_check=1' })).toMatchObject({ body: 'ok' })
    expect(await answer(form, { text: 'token=t' })).toBeUndefined()
    const query = fixedHandshake({ methods: ['GET'], when: { query: { verify: 'code' } }, status: 204 })
    expect(await answer(query, { query: 'verify=code' })).toMatchObject({ status: 204 })
    expect(await answer(query, { query: 'verify=other' })).toBeUndefined()
  })

  it('does not answer each delivery', () => {
    expect(() => fixedHandshake({})).toThrow(TypeError)
  })
})

describe('fixedHandshake with another request', () => {
  it('answers a wrong code with the other status', async () => {
    const fitbit = fixedHandshake({
      methods: ['GET'],
      when: { query: { verify: 'code' } },
      status: 204,
      otherwise: 404,
    })
    expect(await answer(fitbit, { query: 'verify=code' })).toMatchObject({ status: 204 })
    expect(await answer(fitbit, { query: 'verify=wrong' })).toMatchObject({ status: 404, body: '' })
  })
})

describe('secretHandshake', () => {
  const handshake = secretHandshake({ json: 'verification_token', kind: 'type' })

  it('takes the secret from the body, and does not repeat it', async () => {
    const json = { verification_token: 'secret_a-1', webhook: 'w-1' }
    expect(await answer(handshake, { json })).toEqual({
      contentType: 'text/plain',
      body: '',
      establishes: 'secret_a-1',
      isReadOnce: true,
    })
  })

  it.each([
    { json: { type: 'page.created', verification_token: 'secret_a' } },
    { json: { verification_token: '' } },
    { json: { verification_token: ['secret_a'] } },
    { json: { verification_token: 'a'.repeat(513) } },
    { json: { token: 'secret_a' } },
    { text: '{"verification_token":"secret_a"' },
    { text: '{"verification_token":"secret_a"}' + ' '.repeat(4096) },
  ])('leaves %j to the verification of deliveries', async (sent) => {
    expect(await answer(handshake, sent)).toBeUndefined()
  })
})

describe('ebayHandshake', () => {
  it('answers with the hash of the code, the token and the endpoint', async () => {
    const verificationToken = 'a'.repeat(32)
    const endpoint = 'https://hooks.example/ebay'
    const ebay = ebayHandshake({ verificationToken, endpoint })
    const challengeResponse = createHash('sha256')
      .update(`code-1${verificationToken}${endpoint}`)
      .digest('hex')
    expect(await answer(ebay, { query: 'challenge_code=code-1' })).toEqual({
      contentType: 'application/json',
      body: JSON.stringify({ challengeResponse }),
    })
    expect(await answer(ebay, { query: 'challenge_code=' })).toBeUndefined()
    expect(() => ebayHandshake({ verificationToken: 'short', endpoint })).toThrow(TypeError)
  })
})

describe('cloudEventsHandshake', () => {
  it('allows a listed sender', async () => {
    const grid = cloudEventsHandshake({ origins: ['eventgrid.azure.net'], rate: 60 })
    expect(grid.methods).toEqual(['OPTIONS'])
    expect(
      await answer(grid, { headers: { 'webhook-request-origin': 'eventgrid.azure.net' } }),
    ).toMatchObject({
      headers: { 'webhook-allowed-origin': 'eventgrid.azure.net', 'webhook-allowed-rate': '60' },
    })
    expect(await answer(grid, { headers: { 'webhook-request-origin': 'evil.example' } })).toBeUndefined()
    expect(await answer(grid, {})).toBeUndefined()
  })
})
