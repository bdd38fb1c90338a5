import { testService } from '@sallyport/webhooks/testing'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { findEbayKeys } from '../ebay-keys.ts'
import { ebay } from './ebay.ts'
import samples from './ebay.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

/** Answers like eBay: a token for the credentials, and a key without line breaks for the token. */
const requests: unknown[] = []
function stubEbay(key: string) {
  requests.length = 0
  vi.stubGlobal('fetch', (url: string, { headers }: { headers: Record<string, string> }) => {
    requests.push([url, headers['authorization']])
    const pem = `-----BEGIN PUBLIC KEY-----${key}-----END PUBLIC KEY-----`
    return Promise.resolve(
      Response.json(url.endsWith('/token') ? { access_token: 'app-token' } : { key: pem }),
    )
  })
}
beforeAll(() => {
  stubEbay(pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'))
})
afterAll(() => vi.unstubAllGlobals())

const createHeader = (kid: string, signature: string) => ({
  'x-ebay-signature': btoa(JSON.stringify({ alg: 'ecdsa', kid, signature, digest: 'SHA1' })),
})

testService(runner, {
  provider: ebay,
  samples,
  sign: ({ body }) =>
    createHeader(
      '9936261a-7d7b-4621-a0f1-96ccb428af49',
      sign('sha1', body, pair.privateKey).toString('base64'),
    ),
  secret: 'client-id:client-secret',
  signingSecret: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
})

describe('the example of the SDK', () => {
  const body =
    '{"metadata":{"topic":"MARKETPLACE_ACCOUNT_DELETION","schemaVersion":"1.0","deprecated":false},"notification":{"notificationId":"49feeaeb-4982-42d9-a377-9645b8479411_33f7e043-fed8-442b-9d44-791923bd9a6d","eventDate":"2021-03-19T20:43:59.462Z","publishDate":"2021-03-19T20:43:59.679Z","publishAttemptCount":1,"data":{"username":"test_user","userId":"ma8vp1jySJC","eiasToken":"nY+sHZ2PrBmdj6wVnY+sEZ2PrA2dj6wJnY+gAZGEpwmdj6x9nY+seQ=="}}}'
  const signature =
    'MEYCIQCfxfIWuxmWcIBQJ9c5/X7iGDJqs2RCGsBEaAjinyrrfAIhAIV6wGcTiBuV5KJUif2hokyrL+Q9ssHkad+mx2nEE25w'
  const key =
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEZhhxXKtR+TOvtDbgTPCkSof02qgBB7IsYOyf76ilExJ/upAa/vKIKheOoCyOpcLmi4t0b4uepb7LLjmMr90FUg=='
  const verify = (text: string, secrets: readonly string[]) => {
    const headers = new Headers(createHeader('9936261a-7d7b-4621-a0f1-96ccb428af40', signature))
    return ebay.signature.verify({ method: 'POST', headers, body: Buffer.from(text) }, secrets, 0)
  }

  it('verifies with the key that eBay gives for the credentials', async () => {
    stubEbay(key)
    expect(await verify(body, ['sandbox:id:password', 'verify:token:https://hooks.example'])).toMatchObject({
      verified: true,
    })
    expect(await verify(body.replace('test_user', 'other'), ['sandbox:id:password'])).toMatchObject({
      verified: false,
    })
    expect(requests).toEqual([
      ['https://api.sandbox.ebay.com/identity/v1/oauth2/token', `Basic ${btoa('id:password')}`],
      [
        'https://api.sandbox.ebay.com/commerce/notification/v1/public_key/9936261a-7d7b-4621-a0f1-96ccb428af40',
        'Bearer app-token',
      ],
    ])
  })

  it('asks for no key that is not an id', async () => {
    stubEbay(key)
    for (const kid of ['../token', '', '9936261a'])
      expect(await findEbayKeys(['id:password'], new Headers(createHeader(kid, signature)))).toEqual([])
    for (const text of ['%', btoa('{'), btoa('null'), `${btoa('{}')}=`])
      expect(await findEbayKeys(['id:password'], new Headers({ 'x-ebay-signature': text }))).toEqual([])
    expect(requests).toEqual([])
  })
})

it('answers the challenge with the token and the address of the secret', async () => {
  const token = 'a'.repeat(40)
  const endpoint = 'https://hooks.example.com/webhooks/ebay'
  const answer = await ebay.handshake?.answer({
    method: 'GET',
    query: new URLSearchParams({ challenge_code: 'code-1' }),
    headers: new Headers(),
    body: new Uint8Array(),
    secrets: ['id:password', `verify:${token}:${endpoint}`],
    verify: async () => false,
  })
  const challengeResponse = createHash('sha256').update(`code-1${token}${endpoint}`).digest('hex')
  expect(JSON.parse(answer?.body ?? '')).toEqual({ challengeResponse })
})
