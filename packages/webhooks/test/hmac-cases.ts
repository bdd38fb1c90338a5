import {
  base64Secret,
  compactJson,
  hash,
  hexSecret,
  hmac,
  listHeader,
  numberedHeaders,
  sha256Hex,
  signedTime,
  structuredHeader,
} from '@sallyport/webhooks'
import { shared } from './scheme-keys.ts'
import type { SchemeCase } from './scheme-suite.ts'

/** Text keys. */
export const text = {
  keys: shared('a secret of some length, with a snowman: ☃'),
  others: shared('another secret of some length'),
}
const base64Of = (byte: string) => btoa(byte.repeat(24))
/** Keys in base64. */
export const whsec = { keys: shared(`whsec_${base64Of('a')}`), others: shared(`whsec_${base64Of('b')}`) }

const sha256 = { algorithm: 'sha256', encoding: 'hex' } as const
const encodings = (['sha1', 'sha256', 'sha512'] as const).flatMap((algorithm) =>
  (['hex', 'hex-upper', 'base64', 'base64url'] as const).flatMap((encoding) =>
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
    name: 'hmac with milliseconds after the body (Retell)',
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
  {
    name: 'hmac in a repeated header (Mollie)',
    scheme: hmac({ ...sha256, header: listHeader('x-mollie-signature', { prefix: 'sha256=' }) }),
    ...text,
    isList: true,
  },
  {
    name: 'hmac in a list after the time (Recurly)',
    scheme: hmac({
      ...sha256,
      header: listHeader('recurly-signature', { timestamp: true }),
      timestamp: signedTime({ unit: 'ms' }),
      content: ({ timestamp, body }) => [timestamp, '.', body],
    }),
    ...text,
    toleranceMs: 300_000,
    isList: true,
  },
  {
    name: 'hmac in numbered headers (DocuSign)',
    scheme: hmac({
      algorithm: 'sha256',
      encoding: 'base64',
      header: numberedHeaders('x-docusign-signature-', 100),
    }),
    ...text,
  },
  {
    name: 'hmac after a prefix with a space (Greenhouse)',
    scheme: hmac({ ...sha256, header: 'signature', prefix: 'sha256 ' }),
    ...text,
  },
]

const content: readonly SchemeCase[] = [
  {
    name: 'hmac with nanoseconds',
    scheme: hmac({
      ...sha256,
      header: 'x-signature',
      timestamp: signedTime({ header: 'x-time', unit: 'ns' }),
      content: ({ timestamp, body }) => [timestamp, body],
    }),
    ...text,
    toleranceMs: 300_000,
  },
  {
    name: 'hmac with a nonce and a time after the body (Sinch)',
    scheme: hmac({
      algorithm: 'sha256',
      encoding: 'base64',
      header: 'x-sinch-webhook-signature',
      timestamp: signedTime({ header: 'x-sinch-webhook-signature-timestamp' }),
      signedHeaders: ['X-Sinch-Webhook-Signature-Nonce'],
      content: ({ body, headers, timestamp }) => [
        body,
        '.',
        headers.get('x-sinch-webhook-signature-nonce') ?? undefined,
        '.',
        timestamp,
      ],
    }),
    ...text,
    toleranceMs: 300_000,
  },
  {
    name: 'hmac with a key with a suffix (Fitbit)',
    scheme: hmac({
      algorithm: 'sha1',
      encoding: 'base64',
      header: 'x-fitbit-signature',
      key: (secret) => `${secret}&`,
    }),
    ...text,
  },
  {
    name: 'hmac with a hashed key (Braintree)',
    scheme: hmac({
      algorithm: 'sha1',
      encoding: 'hex',
      header: 'x-signature',
      key: async (secret) =>
        new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(secret))),
    }),
    ...text,
  },
  {
    name: 'hash with the secret at the end (Cloudinary)',
    scheme: hash({
      ...sha256,
      header: 'x-cld-signature',
      timestamp: signedTime({ header: 'x-cld-timestamp', toleranceSeconds: 7200 }),
      content: ({ body, timestamp, secret }) => [body, timestamp, secret],
    }),
    ...text,
    toleranceMs: 7_200_000,
  },
  {
    name: 'hmac with a second form of the content',
    scheme: hmac({
      ...sha256,
      header: 'x-signature',
      content: [({ body }) => ['v2:', body], ({ body }) => ['v1:', body]],
    }),
    ...text,
  },
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
    name: 'hmac over the URL (Square)',
    scheme: hmac({
      algorithm: 'sha256',
      encoding: 'base64',
      header: 'x-square-hmacsha256-signature',
      content: ({ url, body }) => [url, body],
    }),
    ...text,
  },
  {
    name: 'hmac over method and URL (HubSpot)',
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

/** HMAC schemes of real services. */
export const hmacCases: readonly SchemeCase[] = [...encodings, ...structured, ...content]
