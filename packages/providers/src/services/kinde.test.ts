import { testService } from '@sallyport/webhooks/testing'
import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, expect, it, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { kinde } from './kinde.ts'
import samples from './kinde.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keys = [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'k1' }]
vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ keys })))
afterAll(() => vi.unstubAllGlobals())

const keySet = 'https://example.kinde.com/.well-known/jwks'
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function createToken(claims: object) {
  const content = `${encode({ alg: 'RS256', kid: 'k1' })}.${encode(claims)}`
  return Buffer.from(
    `${content}.${sign('sha256', Buffer.from(content), pair.privateKey).toString('base64url')}`,
  )
}

testService(runner, {
  provider: kinde,
  samples,
  secret: keySet,
  signingSecret: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  sign: ({ text }) => ({ headers: {}, body: createToken(JSON.parse(text) as object) }),
})

it('refuses the token of a user, which the same key signs', async () => {
  const event = { type: 'user.created', event_id: 'event_1', source: 'admin', data: {} }
  const verify = async (claims: object) => {
    const delivery = { method: 'POST', headers: new Headers(), body: createToken(claims) }
    return (await kinde.signature.verify(delivery, [keySet], 0)).verified
  }
  expect(await verify(event)).toBe(true)
  expect(await verify({ type: 'user.created', sub: 'kp_1', scp: [] })).toBe(false)
})
