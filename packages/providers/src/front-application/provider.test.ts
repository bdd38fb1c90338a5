import { testProvider } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { requiredFields } from '../../test/fields.ts'
import { slowTest, runner } from '../../test/runner.ts'
import { now, secret, send } from '../../test/send.ts'
import { front } from '../front/index.ts'
import { samples as ruleSamples } from '../front/samples.ts'
import { frontApplication } from './index.ts'
import { sample, samples } from './samples.ts'

testProvider(runner, {
  provider: frontApplication,
  samples: samples(),
  ignored: ['sync', 'conversation_archived', 'tag_added', 'new_comment_added'].map((type) => ({
    headers: {},
    body: { ...(sample('message.received').body as object), type },
  })),
  challenges: [{ method: 'POST', headers: { 'x-front-challenge': 'f2a9c7d1' }, body: { type: 'sync' } }],
  toleranceMs: 300_000,
})

function sign(text: string, at = now) {
  const digest = createHmac('sha256', secret).update(`${at}:`).update(text).digest('base64')
  return { 'X-Front-Signature': digest, 'X-Front-Request-Timestamp': String(at) }
}

it('accepts the example of the Front documentation', async () => {
  const body = JSON.stringify(sample('message.received').body)
  const { events } = await send(frontApplication, body, { signed: sign(body) })
  expect(events).toMatchObject([{ name: 'front-application/message.received' }])
})

it('reads the same data as from a rule', async () => {
  const wrapped = samples()
  for (const [index, { body }] of ruleSamples().entries()) {
    const [ofRule] = (await send(front, body)).events
    const [ofApplication] = (await send(frontApplication, wrapped[index]?.body)).events
    expect(ofApplication?.data).toEqual(ofRule?.data)
    expect(ofApplication?.id.split(':').slice(1)).toEqual(ofRule?.id.split(':').slice(1))
  }
})

it('requires only the identifying fields of a delivery', slowTest, () => {
  for (const one of samples()) {
    const required = ['type', 'payload', 'payload.id', 'payload.conversation', 'payload.conversation.id']
    expect(requiredFields(frontApplication, one)).toEqual(required)
  }
})

describe('challenges', () => {
  const sync = JSON.stringify({ type: 'sync', authorization: { id: 'cmp_abc' } })
  const challenge = 'f2a9c7d1-4b3e_5/6+7=8'
  const ask = (body: string, value: string, signed = sign(body)) =>
    send(frontApplication, body, { headers: { 'x-front-challenge': value }, signed })

  it('are echoed as text', async () => {
    const { response } = await ask(sync, challenge)
    expect(response).toMatchObject({ status: 200, body: challenge })
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it('are not echoed with an invalid signature or time', async () => {
    expect((await ask(sync, challenge, { ...sign(sync), 'X-Front-Signature': 'x' })).outcome).toBe('401')
    expect((await ask(sync, challenge, sign(sync, now - 301_000))).outcome).toBe('401')
    expect((await ask(sync, challenge, sign('{}'))).outcome).toBe('401')
  })

  it.each(['<script>', 'a b', 'a"b', 'x'.repeat(513), ''])(
    'are not echoed when they read %j',
    async (value) => {
      expect((await ask(sync, value)).outcome).toBe('ignored')
    },
  )

  it('are ignored when added to a delivery', async () => {
    const body = JSON.stringify(sample('message.received').body)
    const { outcome, events } = await ask(body, challenge)
    expect(outcome).toBe('accepted')
    expect(events).toHaveLength(1)
  })

  it('are ignored with a body that is not JSON', async () => {
    expect((await ask('not JSON', challenge)).outcome).toBe('400')
  })
})
