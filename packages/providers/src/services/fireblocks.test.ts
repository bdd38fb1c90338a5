import { testService } from '@sallyport/webhooks/testing'
import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { fireblocks } from './fireblocks.ts'
import samples from './fireblocks.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keys = [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'k1' }]
vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ keys })))
afterAll(() => vi.unstubAllGlobals())

testService(runner, {
  provider: fireblocks,
  samples,
  sign: ({ body }) => {
    const header = Buffer.from(JSON.stringify({ alg: 'RS512', kid: 'k1' })).toString('base64url')
    const content = `${header}.${Buffer.from(body).toString('base64url')}`
    const signature = sign('sha512', Buffer.from(content), pair.privateKey).toString('base64url')
    return { 'fireblocks-webhook-signature': `${header}..${signature}` }
  },
  secret: 'https://keys.fireblocks.io/.well-known/jwks.json',
  signingSecret: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
})
