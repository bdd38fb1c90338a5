import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { dialpad } from './dialpad.ts'
import samples from './dialpad.samples.json' with { type: 'json' }

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function createToken(claims: object, secret: string, header: object = { alg: 'HS256', typ: 'JWT' }) {
  const content = `${encode(header)}.${encode(claims)}`
  return Buffer.from(`${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`)
}

testService(runner, {
  provider: dialpad,
  samples,
  sign: ({ text, secret, now }) => {
    const claims = { ...(JSON.parse(text) as object), iat: now / 1000 }
    return { headers: {}, body: createToken(claims, secret) }
  },
})

it('refuses plain JSON, which Dialpad sends without a secret, and another algorithm', async () => {
  const verify = async (body: Uint8Array) =>
    (await dialpad.signature.verify({ method: 'POST', headers: new Headers(), body }, ['secret'], 0)).verified
  expect(await verify(createToken({ state: 'calling' }, 'secret'))).toBe(true)
  expect(await verify(Buffer.from('{"state":"calling"}'))).toBe(false)
  expect(await verify(createToken({ state: 'calling' }, 'secret', { alg: 'none' }))).toBe(false)
})
