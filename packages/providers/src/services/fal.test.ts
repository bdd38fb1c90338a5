import { testService } from '@sallyport/webhooks/testing'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, expect, it, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { fal } from './fal.ts'
import samples from './fal.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')
const keys = [other, pair].map(({ publicKey }) => publicKey.export({ format: 'jwk' }))
vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ keys })))
afterAll(() => vi.unstubAllGlobals())

const user = 'github|123456'
const now = Date.UTC(2026, 0)

function createHeaders(body: Uint8Array, id: string, owner = user) {
  const time = String(now / 1000)
  const hash = createHash('sha256').update(body).digest('hex')
  const signature = sign(null, Buffer.from(`${id}\n${owner}\n${time}\n${hash}`), pair.privateKey)
  return {
    'x-fal-webhook-request-id': id,
    'x-fal-webhook-user-id': owner,
    'x-fal-webhook-timestamp': time,
    'x-fal-webhook-signature': signature.toString('hex'),
  }
}

testService(runner, {
  provider: fal,
  samples,
  secret: user,
  signingSecret: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  sign: ({ body, headers }) => createHeaders(body, headers['x-fal-webhook-request-id'] ?? ''),
})

it('refuses a delivery that fal signed for another user', async () => {
  const body = Buffer.from('{}')
  const verify = async (owner: string) => {
    const headers = new Headers(createHeaders(body, 'r-1', owner))
    return (await fal.signature.verify({ method: 'POST', headers, body }, [user], now)).verified
  }
  expect(await verify(user)).toBe(true)
  expect(await verify('github|654321')).toBe(false)
})
