import { testService } from '@sallyport/webhooks/testing'
import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, expect, it, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { now } from '../../test/send.ts'
import { shipstation } from './shipstation.ts'
import samples from './shipstation.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const fetchKeys = vi.fn(() =>
  Promise.resolve(Response.json({ keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'k1' }] })),
)
vi.stubGlobal('fetch', fetchKeys)
afterAll(() => vi.unstubAllGlobals())

const createHeaders = (body: Uint8Array, at: number) => {
  const time = new Date(at).toISOString()
  const content = Buffer.concat([Buffer.from(`${time}.`), body])
  return {
    'x-shipengine-timestamp': time,
    'x-shipengine-rsa-sha256-signature': sign('sha256', content, pair.privateKey).toString('base64'),
  }
}

testService(runner, {
  provider: shipstation,
  samples,
  sign: ({ body, now }) => createHeaders(body, now),
  signingSecret: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
})

it('refuses an unknown key, a malformed id without a request, and an old delivery', async () => {
  const body = Buffer.from('{"resource_type":"API_BATCH"}')
  const verify = async (id: string, at = now) => {
    const headers = new Headers({ 'x-shipengine-rsa-sha256-key-id': id, ...createHeaders(body, at) })
    const delivery = { method: 'POST', headers, body }
    return (await shipstation.signature.verify(delivery, ['any'], now)).verified
  }
  expect(await verify('k1')).toBe(true)
  expect(await verify('k2')).toBe(false)
  expect(await verify('k1', now - 301_000)).toBe(false)
  fetchKeys.mockClear()
  expect(await verify('../k1')).toBe(false)
  expect(fetchKeys).not.toHaveBeenCalled()
})
