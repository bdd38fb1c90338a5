import { testService } from '@sallyport/webhooks/testing'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { findPlaidKey } from '../plaid-keys.ts'
import { plaid } from './plaid.ts'
import samples from './plaid.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = {
  ...pair.publicKey.export({ format: 'jwk' }),
  kid: 'k1',
  alg: 'ES256',
  use: 'sig',
  expired_at: null,
}
vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ key })))
afterAll(() => vi.unstubAllGlobals())

testService(runner, {
  provider: plaid,
  samples,
  sign: ({ body, now }) => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const hash = createHash('sha256').update(body).digest('hex')
    const claims = { iat: Math.floor(now / 1000), request_body_sha256: hash }
    const content = `${encode({ alg: 'ES256', kid: 'k1', typ: 'JWT' })}.${encode(claims)}`
    const key = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' as const }
    const signature = sign('sha256', Buffer.from(content), key).toString('base64url')
    return { 'plaid-verification': `${content}.${signature}` }
  },
  secret: 'client-id:secret',
  signingSecret: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
})

describe('the keys of plaid', () => {
  it('are read from the sandbox with its credentials', async () => {
    const requests: unknown[] = []
    vi.stubGlobal('fetch', (url: string, { body }: { body: string }) => {
      requests.push([url, JSON.parse(body)])
      return Promise.resolve(Response.json({ key }))
    })
    expect(await findPlaidKey('k2', ['sandbox:client-id:secret'])).toEqual(key)
    expect(requests).toEqual([
      [
        'https://sandbox.plaid.com/webhook_verification_key/get',
        { client_id: 'client-id', secret: 'secret', key_id: 'k2' },
      ],
    ])
  })

  it('are not used after their expiry', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ key: { ...key, expired_at: 1767225600 } })))
    expect(await findPlaidKey('k3', ['client-id:secret'])).toBeUndefined()
  })
})

it('makes each delivery an event, because equal webhooks report different changes', () => {
  for (const { body: payload } of samples) {
    const delivery = { payload, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
    expect(plaid.normalize(delivery)).toMatchObject([{ distinct: true, subject: payload.item_id }])
  }
})
