import { testService } from '@sallyport/webhooks/testing'
import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { circle } from './circle.ts'
import samples from './circle.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ data: { publicKey } })))
afterAll(() => vi.unstubAllGlobals())

testService(runner, {
  provider: circle,
  samples,
  sign: ({ body }) => ({ 'x-circle-signature': sign('sha256', body, pair.privateKey).toString('base64') }),
  signingSecret: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
})
