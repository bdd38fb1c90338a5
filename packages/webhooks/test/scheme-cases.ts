import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  base64Secret,
  basicAuth,
  compactJson,
  ecdsa,
  ed25519,
  hexSecret,
  hmac,
  rsa,
  sha256Hex,
  sharedToken,
  signedId,
  signedTime,
  standardWebhooks,
  structuredHeader,
  type KeyEncoding,
} from '../src/index.ts'
import { jwt } from '../src/jwt/index.ts'
import type { SchemeCase, SchemeKeys } from './scheme-suite.ts'

const shared = (secret: string): SchemeKeys => ({ sign: secret, verify: secret })
const text = {
  keys: shared('a secret of some length, with a snowman: ☃'),
  others: shared('another secret of some length'),
}
const base64Of = (byte: string) => Buffer.from(byte.repeat(24)).toString('base64')
const whsec = { keys: shared(`whsec_${base64Of('a')}`), others: shared(`whsec_${base64Of('b')}`) }

interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const derOf = (key: KeyObject): Buffer =>
  key.type === 'public'
    ? key.export({ type: 'spki', format: 'der' })
    : key.export({ type: 'pkcs8', format: 'der' })

/** An Ed25519 key's own 32 bytes end its DER. */
function write(key: KeyObject, encoding: KeyEncoding): string {
  if (encoding === 'pem') {
    return key.type === 'public'
      ? key.export({ type: 'spki', format: 'pem' }).toString()
      : key.export({ type: 'pkcs8', format: 'pem' }).toString()
  }
  if (encoding === 'der') return derOf(key).toString('base64')
  return derOf(key).subarray(-32).toString(encoding)
}

/** Two pairs in an encoding: one of the case, one that signed nothing. */
function pairs(
  generate: () => Pair,
  encoding: KeyEncoding,
): Pick<SchemeCase, 'keys' | 'others' | 'unusable'> {
  const [keys, others] = [generate(), generate()].map(({ publicKey, privateKey }) => ({
    sign: write(privateKey, encoding),
    verify: write(publicKey, encoding),
  }))
  return { keys: keys!, others: others!, unusable: 'this is no key' }
}

const edwards = (): Pair => generateKeyPairSync('ed25519')
const p256 = (): Pair => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa2048 = (): Pair => generateKeyPairSync('rsa', { modulusLength: 2048 })
const prefixed = (pair: SchemeKeys): SchemeKeys => ({
  sign: `whsk_${pair.sign}`,
  verify: `whpk_${pair.verify}`,
})

const sha256 = { algorithm: 'sha256', encoding: 'hex' } as const
const encodings = (['sha1', 'sha256', 'sha512'] as const).flatMap((algorithm) =>
  (['hex', 'base64', 'base64url'] as const).flatMap((encoding) =>
    [undefined, `${algorithm}=`].map((prefix): SchemeCase => {
      const options = { algorithm, encoding, header: 'X-Signature', ...(prefix !== undefined && { prefix }) }
      return { name: `hmac ${algorithm} ${encoding} ${prefix ?? ''}`, scheme: hmac(options), ...text }
    }),
  ),
)

const structured: readonly SchemeCase[] = [
  {
    name: 'hmac in a structured header (Stripe)',
    scheme: hmac({
      ...sha256,
      header: structuredHeader('Stripe-Signature', { timestamp: 't', signature: 'v1' }),
      timestamp: signedTime(),
      content: ({ timestamp, body }) => [timestamp, '.', body],
    }),
    ...text,
    toleranceMs: 300_000,
  },
  {
    name: 'hmac in a structured header with other separators (Paddle)',
    scheme: hmac({
      ...sha256,
      header: structuredHeader('paddle-signature', { timestamp: 'ts', signature: 'h1', separator: ';' }),
      timestamp: signedTime({ toleranceSeconds: 5 }),
      content: ({ timestamp, body }) => [timestamp, ':', body],
    }),
    ...text,
    toleranceMs: 5000,
  },
  {
    name: 'hmac with milliseconds behind the body (Retell)',
    scheme: hmac({
      ...sha256,
      header: structuredHeader('x-retell-signature', { timestamp: 'v', signature: 'd' }),
      timestamp: signedTime({ unit: 'ms' }),
      content: ({ timestamp, body }) => [body, timestamp],
    }),
    ...text,
    toleranceMs: 300_000,
  },
  {
    name: 'hmac in a list (PagerDuty)',
    scheme: hmac({ ...sha256, header: structuredHeader('x-pagerduty-signature', { signature: 'v1' }) }),
    ...text,
    isList: true,
  },
]

const content: readonly SchemeCase[] = [
  {
    name: 'hmac with a time in its own header (Slack)',
    scheme: hmac({
      ...sha256,
      header: 'x-slack-signature',
      prefix: 'v0=',
      timestamp: signedTime({ header: 'X-Slack-Request-Timestamp' }),
      content: ({ timestamp, body }) => ['v0:', timestamp, ':', body],
    }),
    ...text,
    toleranceMs: 300_000,
  },
  {
    name: 'hmac with a date (Zendesk)',
    scheme: hmac({
      algorithm: 'sha256',
      encoding: 'base64',
      header: 'x-zendesk-webhook-signature',
      timestamp: signedTime({ header: 'x-zendesk-webhook-signature-timestamp', unit: 'rfc3339' }),
      content: ({ timestamp, body }) => [timestamp, body],
    }),
    ...text,
    toleranceMs: 300_000,
  },
  {
    name: 'hmac over the address (Square)',
    scheme: hmac({
      algorithm: 'sha256',
      encoding: 'base64',
      header: 'x-square-hmacsha256-signature',
      content: ({ url, body }) => [url, body],
    }),
    ...text,
  },
  {
    name: 'hmac over method and address (HubSpot)',
    scheme: hmac({
      algorithm: 'sha256',
      encoding: 'base64',
      header: 'x-hubspot-signature-v3',
      timestamp: signedTime({ header: 'x-hubspot-request-timestamp', unit: 'ms' }),
      content: ({ method, url, body, timestamp }) => [method, url, body, timestamp],
    }),
    ...text,
    toleranceMs: 300_000,
  },
  {
    name: 'hmac over the compact JSON (Front)',
    scheme: hmac({ algorithm: 'sha1', encoding: 'base64', header: 'x-front-signature', forms: compactJson }),
    ...text,
    signedForm: (body) => [...compactJson(body)].at(-1)!,
  },
  {
    name: 'hmac with a secret in base64',
    scheme: hmac({ ...sha256, header: 'x-signature', key: base64Secret('whsec_') }),
    ...whsec,
    unusable: 'whsec_not base64',
  },
  {
    name: 'hmac with a secret in hexadecimal',
    scheme: hmac({ ...sha256, header: 'x-signature', key: hexSecret() }),
    keys: shared('0a'.repeat(32)),
    others: shared('FF'.repeat(32)),
    unusable: 'not hexadecimal',
  },
  {
    name: 'hmac over content that is hashed first',
    scheme: hmac({
      ...sha256,
      header: 'x-signature',
      content: async ({ body }) => ['sha256:', await sha256Hex(body)],
    }),
    ...text,
  },
]

const standardPairs = pairs(edwards, 'base64')
const standard: readonly SchemeCase[] = [
  { name: 'Standard Webhooks v1', scheme: standardWebhooks(), ...whsec, toleranceMs: 300_000, isList: true },
  {
    name: 'Standard Webhooks v1a',
    scheme: standardWebhooks(),
    keys: prefixed(standardPairs.keys),
    others: prefixed(standardPairs.others),
    toleranceMs: 300_000,
    isList: true,
    unusable: 'whpk_no key',
  },
  {
    name: 'Standard Webhooks with a key that is text (Polar)',
    scheme: standardWebhooks({ secretEncoding: 'utf8', toleranceSeconds: 60 }),
    ...text,
    toleranceMs: 60_000,
    isList: true,
  },
  {
    name: 'Svix',
    scheme: standardWebhooks({ prefix: 'svix' }),
    ...whsec,
    toleranceMs: 300_000,
    isList: true,
    unusable: 'whsec_no key',
  },
]

const asymmetric: readonly SchemeCase[] = [
  ...(['pem', 'der', 'hex', 'base64'] as const).map((keyEncoding) => ({
    name: `ed25519 with a key in ${keyEncoding} (Discord)`,
    scheme: ed25519({
      header: 'x-signature-ed25519',
      encoding: 'hex',
      timestamp: signedTime({ header: 'x-signature-timestamp' }),
      content: ({ timestamp, body }) => [timestamp, body],
      keyEncoding,
    }),
    ...pairs(edwards, keyEncoding),
    toleranceMs: 300_000,
  })),
  {
    name: 'ed25519 over a hash and an id (fal)',
    scheme: ed25519({
      header: 'x-fal-webhook-signature',
      encoding: 'hex',
      id: signedId({ header: 'x-fal-webhook-request-id' }),
      timestamp: signedTime({ header: 'x-fal-webhook-timestamp' }),
      content: async ({ id, headers, timestamp, body }) => [
        [id, headers.get('x-fal-webhook-user-id') ?? '', timestamp, await sha256Hex(body)].join('\n'),
      ],
      keyEncoding: 'base64',
    }),
    ...pairs(edwards, 'base64'),
    toleranceMs: 300_000,
  },
  ...(['der', 'ieee-p1363'] as const).map((format) => ({
    name: `ecdsa in ${format} (SendGrid)`,
    scheme: ecdsa({
      header: 'x-twilio-email-event-webhook-signature',
      encoding: 'base64',
      timestamp: signedTime({ header: 'x-twilio-email-event-webhook-timestamp' }),
      content: ({ timestamp, body }) => [timestamp, body],
      format,
      keyEncoding: 'der',
    }),
    ...pairs(p256, 'der'),
    toleranceMs: 300_000,
  })),
  ...(['pkcs1', 'pss'] as const).map((padding) => ({
    name: `rsa ${padding}`,
    scheme: rsa({ header: 'x-signature', encoding: 'base64', padding }),
    ...pairs(rsa2048, 'pem'),
  })),
]

const tokens: readonly SchemeCase[] = [
  {
    name: 'jwt ES256 (Plaid)',
    scheme: jwt({ header: 'plaid-verification', algorithms: ['ES256'] }),
    ...pairs(p256, 'pem'),
    toleranceMs: 300_000,
  },
  {
    name: 'jwt HS256 (FusionAuth)',
    scheme: jwt({ header: 'x-fusionauth-signature-jwt', algorithms: ['HS256'], claimEncoding: 'base64' }),
    ...text,
    toleranceMs: 300_000,
  },
  {
    name: 'shared token (GitLab)',
    scheme: sharedToken({ header: 'X-Gitlab-Token' }),
    keys: shared('glpat-a-token/with+signs='),
    others: shared('another-token'),
    coversBody: false,
  },
  {
    name: 'shared token behind a scheme',
    scheme: sharedToken({ header: 'authorization', prefix: 'Bearer ' }),
    keys: shared('a-token'),
    others: shared('another-token'),
    coversBody: false,
  },
  {
    name: 'basic authentication',
    scheme: basicAuth(),
    keys: shared('user:a passwörd: with colons'),
    others: shared('user:another'),
    coversBody: false,
    unusable: 'no-colon',
    sameHeader: (a, b) => a.slice(0, 6).toLowerCase() === 'basic ' && a.slice(6) === b.slice(6),
  },
]

/** Every scheme that computes with what `#crypto` names, as a service of the field uses it. */
export const schemeCases: readonly SchemeCase[] = [
  ...encodings,
  ...structured,
  ...content,
  ...standard,
  ...tokens,
]

/** Schemes that use the same WebCrypto everywhere. */
export const publicKeyCases: readonly SchemeCase[] = asymmetric
