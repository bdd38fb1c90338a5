import { testService } from '@sallyport/webhooks/testing'
import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
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

it('refuses the token of an empty request with a body', async () => {
  const verify = async (text: string) => {
    const headers = new Headers({ authorization: createToken('secret', 0, {}) })
    const delivery = { method: 'POST', headers, body: Buffer.from(text) }
    return (await vonage.signature.verify(delivery, ['secret'], 0)).verified
  }
  expect(await verify('')).toBe(true)
  expect(await verify('{}')).toBe(false)
})
