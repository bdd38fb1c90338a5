import { testService } from '@sallyport/webhooks/testing'
import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { truelayer } from './truelayer.ts'
import samples from './truelayer.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('ec', { namedCurve: 'P-521' })
const keys = [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'k1' }]
vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ keys })))
afterAll(() => vi.unstubAllGlobals())

testService(runner, {
  provider: truelayer,
  samples,
  sign: ({ text, url }) => {
    const time = '2026-01-01T00:00:00Z'
    const protectedHeader = { alg: 'ES512', kid: 'k1', tl_version: '2', tl_headers: 'X-Tl-Webhook-Timestamp' }
    const header = Buffer.from(JSON.stringify(protectedHeader)).toString('base64url')
    const payload = `POST ${new URL(url).pathname}\nX-Tl-Webhook-Timestamp: ${time}\n${text}`
    const content = Buffer.from(`${header}.${Buffer.from(payload).toString('base64url')}`)
    const key = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' as const }
    const signature = sign('sha512', content, key).toString('base64url')
    return { 'x-tl-webhook-timestamp': time, 'tl-signature': `${header}..${signature}` }
  },
  secret: 'https://webhooks.truelayer.com/.well-known/jwks',
  signingSecret: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
})
