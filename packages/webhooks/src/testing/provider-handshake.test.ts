import { describe, expect, it } from 'vitest'
import { doorbell, findFailures, signature } from '../../test/suite-under-test.ts'
import {
  graphHandshake,
  metaHandshake,
  oktaHandshake,
  slackHandshake,
  xHandshake,
  zoomHandshake,
} from '../handshakes/index.ts'
import { standardWebhooks, type Handshake, type HandshakeRequest } from '../index.ts'
import type { ProviderChallenge } from './provider-handshake.ts'

const text = (body: string) => ({ contentType: 'text/plain', body }) as const

/** Signs any text. */
async function signed(content: string, { secrets: [secret = ''] }: HandshakeRequest) {
  const delivery = { method: 'POST', headers: new Headers(), body: new TextEncoder().encode(content) }
  return (await signature.sign(delivery, secret, 0))['x-bell-signature'] ?? ''
}

const failuresWith = (handshake: Handshake, challenges: readonly ProviderChallenge[] = []) =>
  findFailures({ provider: doorbell({ handshake }), challenges })

const url = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': 'meatyhamhock' }

describe('handshakes of well-known services', () => {
  it.each<[string, Handshake, ProviderChallenge]>([
    ['Meta', metaHandshake({ verifyToken: 'meatyhamhock' }), { method: 'GET', query: url }],
    ['X', xHandshake(), { method: 'GET', query: { crc_token: 'Kf83hPdk20sLmQ7x' } }],
    ['Okta', oktaHandshake(), { method: 'GET', headers: { 'x-okta-verification-challenge': 'Kf83hPdk' } }],
    [
      'Slack',
      slackHandshake(),
      {
        method: 'POST',
        body: { type: 'url_verification', token: 'Jhj5dZrVaK7', challenge: '3eZbrw1aBm2rZgR' },
      },
    ],
    [
      'Zoom',
      zoomHandshake(),
      {
        method: 'POST',
        body: { event: 'endpoint.url_validation', payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' } },
      },
    ],
    ['Graph', graphHandshake(), { method: 'POST', query: { validationToken: 'Validation: Testing client' } }],
  ])('%s passes the suite', async (_, handshake, challenge) => {
    expect(await failuresWith(handshake, [challenge])).toEqual([])
    expect(await failuresWith(handshake)).toEqual([])
  })
})

// Handshakes were never asked once, so that all of these passed.
describe('testProvider detects', () => {
  it.each<[string, Handshake['answer']]>([
    ['answers', () => text('ok')],
    [
      'throws about',
      () => {
        throw new Error('What is this?')
      },
    ],
    ['answers, where it is signed,', async ({ verify }) => ((await verify()) ? text('ok') : undefined)],
  ])('a handshake that %s every delivery', async (_, answer) => {
    expect(await failuresWith({ methods: ['POST'], answer })).toEqual([
      'does not answer deliveries and does not throw',
    ])
  })

  it.each<[string, Handshake]>([
    [
      'in the query',
      {
        methods: ['GET'],
        answer: async (request) => text(await signed(request.query.get('c') ?? '', request)),
      },
    ],
    [
      'in a header',
      {
        methods: ['GET'],
        answer: async (request) => text(await signed(request.headers.get('x-c') ?? '', request)),
      },
    ],
    [
      'as base64, with something around it',
      {
        methods: ['GET'],
        answer: async (request) => {
          const proof = Buffer.from(await signed(request.query.get('c') ?? '', request), 'hex')
          return text(JSON.stringify({ response_token: `sha256=${proof.toString('base64')}` }))
        },
      },
    ],
  ])('a handshake that signs any text %s', async (_, handshake) => {
    expect(await failuresWith(handshake)).toEqual([
      'does not sign a text that could be a delivery',
      'marks every answer with a signature as signed',
    ])
  })

  it('a handshake that signs any text in a body, under a name that only its service uses', async () => {
    const answer: Handshake['answer'] = async (request) => {
      const body = new TextDecoder().decode(request.body)
      if (!body.includes('"greeting"')) return undefined
      return {
        ...text(await signed((JSON.parse(body) as { greeting: string }).greeting, request)),
        signed: true,
      }
    }
    const challenge = { method: 'POST', body: { greeting: 'Kf83hPdk20sLmQ7x' } } as const
    expect(await failuresWith({ methods: ['POST'], answer }, [challenge])).toEqual([
      'does not sign a text that could be a delivery',
    ])
  })

  it('a handshake that signs the content of a scheme that signs more than the body', async () => {
    const secret = `whsec_${Buffer.from('a key of some length').toString('base64')}`
    const otherSecret = `whsec_${Buffer.from('another key of that length').toString('base64')}`
    const key = { name: 'HMAC', hash: 'SHA-256' } as const
    const answer: Handshake['answer'] = async ({ query, secrets: [held = ''] }) => {
      const imported = await crypto.subtle.importKey(
        'raw',
        Buffer.from(held.slice(6), 'base64'),
        key,
        false,
        ['sign'],
      )
      const digest = await crypto.subtle.sign(
        'HMAC',
        imported,
        new TextEncoder().encode(query.get('c') ?? ''),
      )
      return { ...text(Buffer.from(digest).toString('base64')), signed: true }
    }
    const provider = doorbell({ signature: standardWebhooks(), handshake: { methods: ['GET'], answer } })
    const told = { provider, secret, otherSecret, toleranceMs: 300_000 }
    expect(await findFailures(told)).toEqual(['does not sign a text that could be a delivery'])
  })

  it('a handshake that reveals the secret', async () => {
    const answer: Handshake['answer'] = ({ secrets }) => text(`secret: ${secrets.join()}`)
    expect(await failuresWith({ methods: ['GET'], answer })).toEqual(['does not reveal the secret'])
  })

  it('a challenge without an answer or with an answer over the limit', async () => {
    const challenge = { method: 'GET', query: { challenge: 'Kf83hPdk' } } as const
    for (const answer of [() => undefined, () => text('x'.repeat(1025))]) {
      expect(await failuresWith({ methods: ['GET'], answer }, [challenge])).toEqual([
        'answers the challenges of the service',
      ])
    }
  })
})
