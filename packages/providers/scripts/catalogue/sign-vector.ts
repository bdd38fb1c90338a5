import { signDelivery, type Delivery, type Service, type SignedDelivery } from '@sallyport/webhooks'
import { createPrivateKey, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { privateKey } from '../../test/paypal-certificate.ts'
import { signSnsMessage } from '../../test/sns.ts'
import type { VectorSecrets } from './vector-secrets.ts'

type Sign = (delivery: Delivery, secrets: VectorSecrets, now: number) => SignedDelivery

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The schemes of services with keys of their own cannot sign. */
const signers: Readonly<Record<string, Sign>> = {
  'google-pubsub': ({ body }, { secrets: [secret = ''], signing }, now) => {
    const [, email = '', aud = ''] = /^([^:]+):(.+)$/.exec(secret) ?? []
    const iat = now / 1000
    const claims = {
      iss: 'https://accounts.google.com',
      aud,
      email,
      email_verified: true,
      iat,
      exp: iat + 3600,
    }
    const content = `${encode({ alg: 'RS256', kid: 'k1', typ: 'JWT' })}.${encode(claims)}`
    const signature = sign('sha256', Buffer.from(content), createPrivateKey(signing)).toString('base64url')
    return { headers: { authorization: `Bearer ${content}.${signature}` }, body }
  },
  paypal: ({ body, headers }, { secrets: [webhookId = ''] }) => {
    const read = (name: string) => headers.get(`paypal-transmission-${name}`) ?? ''
    const content = `${read('id')}|${read('time')}|${webhookId}|${crc32(body)}`
    const signature = sign('sha256', Buffer.from(content), createPrivateKey(privateKey)).toString('base64')
    return { headers: { 'paypal-transmission-sig': signature }, body }
  },
  ses: ({ body }) => ({ headers: {}, body: signSnsMessage(body) }),
  sns: ({ body }) => ({ headers: {}, body: signSnsMessage(body) }),
}

/** Signs a delivery with the test keys. */
export async function signVector(
  { name, signature }: Service,
  delivery: Delivery,
  secrets: VectorSecrets,
  now: number,
): Promise<SignedDelivery> {
  return signers[name]?.(delivery, secrets, now) ?? signDelivery(signature, delivery, secrets.signing, now)
}
