import { testService } from '@sallyport/webhooks/testing'
import { createCipheriv, createDecipheriv, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { wechatPay } from './wechat-pay.ts'
import samples from './wechat-pay.samples.json' with { type: 'json' }

const apiKey = '0123456789abcdef0123456789abcdef'
const otherKey = 'fedcba9876543210fedcba9876543210'
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const exportKey = (key: KeyObject, type: 'spki' | 'pkcs8') => key.export({ format: 'pem', type }).toString()
const publicKey = exportKey(pair.publicKey, 'spki')
const privateKey = exportKey(pair.privateKey, 'pkcs8')
const secret = `${apiKey}:${publicKey}`

interface Notification {
  readonly resource: unknown
}

function encrypt(text: string, key: string, plain?: string): Uint8Array {
  const notification = JSON.parse(text) as Notification
  const cipher = createCipheriv('aes-256-gcm', key, 'fdasflkja484')
  cipher.setAAD(Buffer.from('transaction'))
  const content = plain ?? JSON.stringify(notification.resource)
  const sealed = [cipher.update(content), cipher.final(), cipher.getAuthTag()]
  const resource = {
    original_type: 'transaction',
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext: Buffer.concat(sealed).toString('base64'),
    associated_data: 'transaction',
    nonce: 'fdasflkja484',
  }
  return Buffer.from(JSON.stringify({ ...notification, resource }))
}

function signBody(body: Uint8Array, now: number) {
  const time = String(now / 1000)
  const content = Buffer.concat([Buffer.from(`${time}\nnonce-1\n`), body, Buffer.from('\n')])
  return {
    'wechatpay-timestamp': time,
    'wechatpay-nonce': 'nonce-1',
    'wechatpay-serial': 'PUB_KEY_ID_1',
    'wechatpay-signature': sign('sha256', content, privateKey).toString('base64'),
  }
}

testService(runner, {
  provider: wechatPay,
  samples,
  secret,
  signingSecret: `${apiKey}:${privateKey}`,
  sign: ({ text, now }) => {
    const body = encrypt(text, apiKey)
    return { headers: signBody(body, now), body }
  },
})

const now = Date.UTC(2026, 0)
const text = '{"id":"EV-1","event_type":"TRANSACTION.SUCCESS","resource":{"amount":1}}'

const verify = async (body: Uint8Array, secrets: readonly string[]) => {
  const delivery = { method: 'POST', headers: new Headers(signBody(body, now)), body }
  return wechatPay.signature.verify(delivery, secrets, now)
}

describe('the encrypted resource', () => {
  it('becomes the plain resource, with the exact digits of its numbers', async () => {
    const plain = '{"amount":12345678901234567890}'
    const verification = await verify(encrypt(text, apiKey, plain), [secret])
    const body = verification.verified && new TextDecoder().decode(verification.body)
    expect(body).toBe(text.replace('{"amount":1}', plain))
  })

  it('of another merchant is refused, although WeChat Pay signed it', async () => {
    expect(await verify(encrypt(text, otherKey), [secret])).toEqual({ verified: false, reason: 'mismatch' })
  })

  it('is decrypted with each of several API v3 keys', async () => {
    const secrets = [secret, `${otherKey}:${publicKey}`]
    expect(await verify(encrypt(text, otherKey), secrets)).toMatchObject({ verified: true })
  })

  it.each(['{"id":"EV-1"}', '{"resource":{"ciphertext":"AA"}}', '[]', 'text'])(
    'is required: %s is refused',
    async (body) => {
      expect(await verify(Buffer.from(body), [secret])).toEqual({ verified: false, reason: 'mismatch' })
    },
  )

  it('that is signed can be decrypted by other code', async () => {
    const delivery = { method: 'POST', headers: new Headers(), body: Buffer.from(text) }
    const body = (await wechatPay.signature.signBody?.(delivery, secret, now)) ?? new Uint8Array()
    const { resource } = JSON.parse(Buffer.from(body).toString()) as {
      resource: Readonly<Record<'ciphertext' | 'nonce' | 'associated_data', string>>
    }
    const sealed = Buffer.from(resource.ciphertext, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', apiKey, resource.nonce)
    decipher.setAAD(Buffer.from(resource.associated_data)).setAuthTag(sealed.subarray(-16))
    const plain = decipher.update(sealed.subarray(0, -16)).toString() + decipher.final('utf8')
    expect(plain).toContain('"amount"')
  })
})

it.each([
  ['no API v3 key', publicKey],
  ['a short API v3 key', `short:${publicKey}`],
  ['no public key', `${apiKey}:PEM`],
])('reports a secret with %s', async (_, unusable) => {
  await expect(wechatPay.signature.checkSecret?.(unusable)).rejects.toThrow()
  await expect(wechatPay.signature.checkSecret?.(secret)).resolves.toBeUndefined()
})

it('verifies the example in the tests of the SDK, whose API v3 key has 16 characters', async () => {
  const pem = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2VCTd91fnUn73Xy9DLvt/V62TVxRTEEstVdeRaZ3B3leO0pldE806mXO4RwdHXagHQ4vGeZN0yqm++rDsGK+U3AH7kejyD2pXshNP9Cq5YwbptiLGtjcquw4HNxJQUOmDeJf2vg6byms9RUipiq4SzbJKqJFlUpbuIPDpSpWz10PYmyCNeDGUUK65E5h2B834uxl1zNLYQCrkdBzb8oUxwYeP5a2DNxmjL5lsJML7DGr5znsevnoqGRwTm9fxCGfy8wus7hwKz6clt3Whmmda7UAdb1c08hEQFVRbF14AR73xbnd8N0obCWJPCbzMCtkaSef4FdEEgEXJiw0VAJT8wIDAQAB
-----END PUBLIC KEY-----`
  const body =
    '{"id":"3119dfba-e649-5eec-ab1e-3412bc4d2e17","create_time":"2021-06-24T16:37:26+08:00","resource_type":"encrypt-resource","event_type":"PAYSCORE.USER_OPEN_SERVICE","summary":"签约成功","resource":{"original_type":"payscore","algorithm":"AEAD_AES_256_GCM","ciphertext":"YDS3lKPaC4Y52Gf3uhft5qUBlIa8b428AWTtTauHQfQrRw+X1WpiuHIDy0vo1Vd6VEq67aVyqPdDYMkRVSDaZL3iZttevRMOoPKMifozg6XPWjIZumks/GpT48lI4NizyeaqLBokNebthah3o1H76qSlO9NkDjp9bzmKLEYYH9TEklFUpsvPqOTOcgSLgh21YJXYR7dEBXFgRLiNIKRgO5JdXh1hccRUAlyVWxE54PXpnQ==","associated_data":"payscore","nonce":"Kj7QIyUiYx1q"}}'
  const headers = new Headers({
    'wechatpay-nonce': 'EcZ9Cmy4Xyx1i6RlJQzLcCyEqDa26NBz',
    'wechatpay-timestamp': '1624523846',
    'wechatpay-signature':
      'tJHIiIS9eB2hAYstmAmbbD3ZE5LiIm/Ug5tuL4fC0YOFRWIHV39UFIZXC0e9Wl6lBu6sKvkqDkzpqzBsVHyXFlbYZTOQrVdG4b6LfTnK4mikv9++ixJMd3vTf2yCqvBkh98zs3Ds5zsYQakzbcwhmw4fMJs4nPLws28H0UW9FjDR//rxELLwXvV1VEA1IBLX70xptjL8hrfUjEE8kkry6yNJTHZRU8CAc7qHli2Ng1V1qb9ARbK8A3ThmFmPQvRGrapI/jS2laKKgYUmfdEdkNO6B2Cke5e8VTxY406ArAmQ90GAihDwIcb16TQMnzCMBoutnwZKNiKRACrFmtxw2Q==',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from(body) }
  const verification = await wechatPay.signature.verify(
    delivery,
    [`testMchAPIv3Key0:${pem}`],
    1_624_523_846_000,
  )
  expect(verification.verified && new TextDecoder().decode(verification.body)).toContain(
    '"resource":{"mchid":"1234567890"',
  )
})
