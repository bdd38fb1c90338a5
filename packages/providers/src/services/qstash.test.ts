import { testService } from '@sallyport/webhooks/testing'
import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { getUrl, now, secret, send } from '../../test/send.ts'
import { qstash } from './qstash.ts'
import samples from './qstash.samples.json' with { type: 'json' }

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function createToken(body: Uint8Array, key: string, at: number, claims: object = {}) {
  const seconds = Math.floor(at / 1000)
  const hash = createHash('sha256').update(body).digest('base64url')
  const times = { exp: seconds + 300, nbf: seconds, iat: seconds }
  const all = { iss: 'Upstash', sub: getUrl(qstash), ...times, jti: 'jwt_1', body: `${hash}=`, ...claims }
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(all)}`
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
}

testService(runner, {
  provider: qstash,
  samples,
  sign: ({ body, secret, now }) => ({ 'upstash-signature': createToken(body, secret, now) }),
})

const verify = async (
  claims: object,
  url: string | undefined = getUrl(qstash),
  secrets = ['next', secret],
) => {
  const body = Buffer.from('{"hello":"world"}')
  const headers = new Headers({ 'upstash-signature': createToken(body, secret, now, claims) })
  const delivery = { method: 'POST', headers, body, ...(url && { url }) }
  return (await qstash.signature.verify(delivery, secrets, now)).verified
}

it('accepts the hash without padding, and either signing key', async () => {
  const hash = createHash('sha256').update('{"hello":"world"}').digest('base64url')
  expect(await verify({ body: hash })).toBe(true)
  expect(await verify({}, undefined, ['current', 'next'])).toBe(false)
})

it('refuses another issuer, body, address and time', async () => {
  expect(await verify({ iss: 'example' })).toBe(false)
  expect(await verify({ body: createHash('sha256').update('{}').digest('base64url') })).toBe(false)
  expect(await verify({ body: undefined })).toBe(false)
  expect(await verify({ sub: 'https://hooks.example.com/webhooks/other' })).toBe(false)
  expect(await verify({ exp: now / 1000 - 3600, iat: now / 1000 - 3900 })).toBe(false)
})

it('passes a text that is not JSON', async () => {
  const { events } = await send(qstash, 'run the report', { headers: { 'upstash-message-id': 'msg_1' } })
  expect(events).toMatchObject([{ name: 'qstash/message', data: 'run the report' }])
})

it('keeps two messages with equal bodies apart, and merges the attempts of one', async () => {
  const read = async (id: string) =>
    (await send(qstash, { hello: 'world' }, { headers: { 'upstash-message-id': id } })).events[0]?.id
  expect(await read('msg_1')).toBe(await read('msg_1'))
  expect(await read('msg_1')).not.toBe(await read('msg_2'))
})
