import type { AnyProvider } from '@sallyport/webhooks'
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { certificate } from '../../test/paypal-certificate.ts'
import keys from './test-keys.json' with { type: 'json' }

/** The secrets of a service in its test vectors. */
export interface VectorSecrets {
  /** The secrets of the receiver. */
  readonly secrets: readonly string[]
  /** Secrets that do not verify; undefined where the keys depend on the server of the service alone. */
  readonly other?: readonly string[]
  /** The secret that signs. */
  readonly signing: string
  /** Whether a person cannot create the keys with usual tools. @default false */
  readonly isOfService?: true
  /** The documents of the key servers by URL. */
  readonly documents?: Readonly<Record<string, string>>
}

const chainFile = new URL('../../test/app-store-chain.json', import.meta.url)
const chain = JSON.parse(readFileSync(chainFile, 'utf8')) as { readonly root: string; readonly key: object }

const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString()
const der = (key: KeyObject) => key.export({ format: 'der', type: 'spki' })
const readPair = (name: keyof typeof keys) => ({
  privateKey: createPrivateKey(keys[name]),
  publicKey: createPublicKey(keys[name]),
})
const rsa = readPair('rsa').publicKey
const otherRsa = readPair('otherRsa').publicKey
const p256 = readPair('p256')
const otherP256 = readPair('otherP256')
const ed25519 = readPair('ed25519')
const otherEd25519 = readPair('otherEd25519')

const keySet = (key: KeyObject): string =>
  JSON.stringify({ keys: [{ ...key.export({ format: 'jwk' }), kid: 'k1' }] })

/** The API v3 key of WeChat Pay. */
const apiKey = '0123456789abcdef0123456789abcdef'

const rsaPair: VectorSecrets = { secrets: [pem(rsa)], other: [pem(otherRsa)], signing: keys.rsa }
const rawPair = (encoding: 'hex' | 'base64'): VectorSecrets => ({
  secrets: [der(ed25519.publicKey).subarray(-32).toString(encoding)],
  other: [der(otherEd25519.publicKey).subarray(-32).toString(encoding)],
  signing: ed25519.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString(encoding),
})
/** A service whose secret is the URL of its keys. */
const keySetPair = (url: string, otherUrl: string, name: 'rsa' | 'p521'): VectorSecrets => ({
  secrets: [url],
  other: [otherUrl],
  signing: keys[name],
  documents: { [url]: keySet(createPublicKey(keys[name])), [otherUrl]: keySet(otherRsa) },
})
const snsTopic = (name: string): VectorSecrets => ({
  secrets: [`arn:aws:sns:eu-west-1:123456789012:${name}`],
  other: [`arn:aws:sns:eu-west-1:210987654321:${name}`],
  signing: '',
  documents: { 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a1b.pem': certificate },
})

/** Services with keys, or with names as secrets. */
const known: Readonly<Record<string, VectorSecrets>> = {
  'app-store': {
    secrets: ['com.example.app', chain.root],
    other: ['com.example.other', chain.root],
    signing: JSON.stringify(chain.key),
    isOfService: true,
  },
  circle: {
    secrets: ['TEST_API_KEY:sallyport'],
    signing: p256.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    documents: {
      'https://api.circle.com/v2/notifications/publicKey/*': JSON.stringify({
        data: { publicKey: der(p256.publicKey).toString('base64') },
      }),
    },
  },
  discord: rawPair('hex'),
  'discord-interactions': rawPair('hex'),
  ebay: {
    secrets: ['client-id:client-secret'],
    signing: p256.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    documents: {
      'https://api.ebay.com/identity/v1/oauth2/token': JSON.stringify({ access_token: 'app-token' }),
      'https://api.ebay.com/commerce/notification/v1/public_key/*': JSON.stringify({
        key: pem(p256.publicKey).replaceAll('\n', ''),
      }),
    },
  },
  fal: {
    secrets: ['github|123456'],
    other: ['github|654321'],
    signing: keys.ed25519,
    documents: { 'https://rest.fal.ai/.well-known/jwks.json': keySet(ed25519.publicKey) },
  },
  fireblocks: keySetPair(
    'https://keys.fireblocks.io/.well-known/jwks.json',
    'https://sandbox-keys.fireblocks.io/.well-known/jwks.json',
    'rsa',
  ),
  fusionauth: rsaPair,
  gong: rsaPair,
  'google-pubsub': {
    secrets: ['push@myproject.iam.gserviceaccount.com:https://hooks.example.com/webhooks/google-pubsub'],
    other: ['push@other.iam.gserviceaccount.com:https://hooks.example.com/webhooks/google-pubsub'],
    signing: keys.rsa,
    documents: { 'https://www.googleapis.com/oauth2/v3/certs': keySet(rsa) },
  },
  kinde: keySetPair(
    'https://example.kinde.com/.well-known/jwks',
    'https://other.kinde.com/.well-known/jwks',
    'rsa',
  ),
  paypal: {
    secrets: ['1JE4291016473214C'],
    other: ['1JE4291016473214D'],
    signing: '',
    documents: { 'https://api.paypal.com/v1/notifications/certs/*': certificate },
  },
  plaid: {
    secrets: ['client-id:secret'],
    signing: keys.p256,
    documents: {
      'https://production.plaid.com/webhook_verification_key/get': JSON.stringify({
        key: {
          ...p256.publicKey.export({ format: 'jwk' }),
          kid: 'k1',
          alg: 'ES256',
          use: 'sig',
          expired_at: null,
        },
      }),
    },
  },
  sendgrid: {
    secrets: [der(p256.publicKey).toString('base64')],
    other: [der(otherP256.publicKey).toString('base64')],
    signing: p256.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  },
  ses: snsTopic('mail'),
  shipstation: {
    secrets: ['a random text'],
    signing: keys.rsa,
    documents: { 'https://api.shipengine.com/jwks': keySet(rsa) },
  },
  sns: snsTopic('orders'),
  telnyx: rawPair('base64'),
  truelayer: keySetPair(
    'https://webhooks.truelayer.com/.well-known/jwks',
    'https://webhooks.truelayer-sandbox.com/.well-known/jwks',
    'p521',
  ),
  'wechat-pay': {
    secrets: [`${apiKey}:${pem(rsa)}`],
    other: [`${apiKey}:${pem(otherRsa)}`],
    signing: `${apiKey}:${keys.rsa}`,
    isOfService: true,
  },
  wise: rsaPair,
  wix: rsaPair,
}

/** Who creates the key that signs: a person, for a shared secret or a pair of keys, or the service alone. */
export function findSigner(name: string): 'secret' | 'pair' | 'service' {
  const pair = known[name]
  if (pair === undefined) return 'secret'
  return pair.documents !== undefined || pair.isOfService ? 'service' : 'pair'
}

/** The secrets of the test vectors of a service: keys, or a fixed secret in the form of the service. */
export function getVectorSecrets(provider: Pick<AnyProvider, 'name' | 'signature'>): VectorSecrets {
  const pair = known[provider.name]
  if (pair) return pair
  const secret = createSecret(provider, 'secret')
  return { secrets: [secret], other: [createSecret(provider, 'other secret')], signing: secret }
}

/** Creates a fixed secret in the form of a random one. */
function createSecret({ name, signature }: Pick<AnyProvider, 'name' | 'signature'>, label: string): string {
  const random = signature.createSecret?.() ?? ''
  const bytes = createHash('sha256').update(`sallyport ${label} of ${name}`).digest()
  const [prefix = ''] = /^(?:[\w,]*whsec_|[a-z]+:)/.exec(random) ?? []
  const isHex = /^[\da-f]*$/.test(random.slice(prefix.length))
  return prefix + bytes.toString(isHex ? 'hex' : 'base64')
}
