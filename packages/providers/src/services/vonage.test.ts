import { testService } from '@sallyport/webhooks/testing'
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { vonage } from './vonage.ts'
import samples from './vonage.samples.json' with { type: 'json' }

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function createToken(secret: string, now: number, claims: object) {
  const all = { iat: now / 1000, jti: 'c5ba8f24-1a14-4c10-bfdf-3fbe8ce511b5', iss: 'Vonage', ...claims }
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(all)}`
  return `Bearer ${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

testService(runner, {
  provider: vonage,
  samples,
  sign: ({ body, secret, now }) => {
    const payload_hash = createHash('sha256').update(body).digest('hex')
    return { authorization: createToken(secret, now, { payload_hash }) }
  },
})

describe('a delivery by GET', () => {
  const query = 'from=15550100001&to=15550100002&uuid=a%2Bb&conversation_uuid=CON-1'
  const json = '{"from":"15550100001","to":"15550100002","uuid":"a+b","conversation_uuid":"CON-1"}'
  const verify = async (claims: object, text = query) => {
    const headers = new Headers({ authorization: createToken('secret', 0, claims) })
    const delivery = { method: 'GET', headers, body: Buffer.from(text) }
    return vonage.signature.verify(delivery, ['secret'], 0)
  }
  const payload_hash = createHash('sha256').update(json).digest('hex')

  it('is verified and read as JSON of the query', async () => {
    expect(await verify({ payload_hash })).toEqual({ verified: true, body: new TextEncoder().encode(json) })
    const delivery = { payload: JSON.parse(json) as unknown, headers: new Headers(), body: Buffer.from(json) }
    expect(vonage.normalize({ ...delivery, receivedAt: 0 })).toMatchObject([{ kind: 'call.received' }])
  })

  it('is refused without the hash, and with another query', async () => {
    expect(await verify({})).toMatchObject({ verified: false })
    expect(await verify({ payload_hash }, `${query}&status=answered`)).toMatchObject({ verified: false })
  })
})

it.each([
  [
    'recording',
    { recording_uuid: 'r-1', conversation_uuid: 'CON-1', recording_url: 'https://example.com/r' },
  ],
  ['call.input', { uuid: 'c-1', dtmf: { digits: '1' } }],
  ['call.transfer', { uuid: 'c-1', conversation_uuid_from: 'CON-1', conversation_uuid_to: 'CON-2' }],
  ['verify.summary', { request_id: 'v-1', type: 'summary', status: 'completed' }],
])('names the kind %s', (kind, payload) => {
  const delivery = { payload, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
  expect(vonage.normalize(delivery)).toMatchObject([{ kind }])
})

it('refuses the token of an empty request with a body', async () => {
  const verify = async (text: string) => {
    const headers = new Headers({ authorization: createToken('secret', 0, {}) })
    const delivery = { method: 'POST', headers, body: Buffer.from(text) }
    return (await vonage.signature.verify(delivery, ['secret'], 0)).verified
  }
  expect(await verify('')).toBe(true)
  expect(await verify('{}')).toBe(false)
})
