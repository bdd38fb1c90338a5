import {
  basicAuth,
  ecdsa,
  ed25519,
  rsa,
  sha256Hex,
  sharedToken,
  signedId,
  signedTime,
  standardWebhooks,
} from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'
import { hmacCases, text, whsec } from './hmac-cases.ts'
import { pairs, shared } from './scheme-keys.ts'
import type { SchemeCase, SchemeKeys } from './scheme-suite.ts'

const prefixed = (pair: SchemeKeys): SchemeKeys => ({
  sign: `whsk_${pair.sign}`,
  verify: `whpk_${pair.verify}`,
})
const each = <const Of, To>(all: readonly Of[], make: (one: Of) => Promise<To>): Promise<To[]> =>
  Promise.all(all.map(make))

const standard = (pair: Pick<SchemeCase, 'keys' | 'others'>): readonly SchemeCase[] => [
  { name: 'Standard Webhooks v1', scheme: standardWebhooks(), ...whsec, toleranceMs: 300_000, isList: true },
  {
    name: 'Standard Webhooks v1a',
    scheme: standardWebhooks(),
    keys: prefixed(pair.keys),
    others: prefixed(pair.others),
    toleranceMs: 300_000,
    isList: true,
    unusable: 'whpk_not a key',
  },
  {
    name: 'Standard Webhooks with a text key (Polar)',
    scheme: standardWebhooks({ secretEncoding: 'utf8', toleranceSeconds: 60 }),
    ...text,
    toleranceMs: 60_000,
    isList: true,
  },
  {
    name: 'Standard Webhooks with other secrets and separators (Supabase)',
    scheme: standardWebhooks({ secretPrefix: 'v1,whsec_', separator: ', ' }),
    keys: { sign: `v1,${whsec.keys.sign}`, verify: `v1,${whsec.keys.verify}` },
    others: { sign: `v1,${whsec.others.sign}`, verify: `v1,${whsec.others.verify}` },
    toleranceMs: 300_000,
    isList: true,
  },
  {
    name: 'Standard Webhooks with a text key without the prefix (OpenAI)',
    scheme: standardWebhooks({ prefix: 'x-own', secretEncoding: 'base64-after-prefix' }),
    ...text,
    toleranceMs: 300_000,
    isList: true,
  },
  {
    name: 'Svix',
    scheme: standardWebhooks({ prefix: 'svix' }),
    ...whsec,
    toleranceMs: 300_000,
    isList: true,
    unusable: 'whsec_not a key',
  },
]

const tokens = async (): Promise<readonly SchemeCase[]> => [
  {
    name: 'jwt ES256 (Plaid)',
    scheme: jwt({ header: 'plaid-verification', algorithms: ['ES256'] }),
    ...(await pairs('p256', 'pem')),
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
    name: 'shared token with a prefix',
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

/** All schemes that use `#crypto`, with the options of real services. */
export const schemeCases = async (): Promise<readonly SchemeCase[]> => [
  ...hmacCases,
  ...standard(await pairs('ed25519', 'base64')),
  ...(await tokens()),
]

/** Schemes that use WebCrypto on all hosts. */
export const publicKeyCases = async (): Promise<readonly SchemeCase[]> => [
  ...(await each(['pem', 'der', 'hex', 'base64'], async (keyEncoding) => ({
    name: `ed25519 with a key in ${keyEncoding} (Discord)`,
    scheme: ed25519({
      header: 'x-signature-ed25519',
      encoding: 'hex',
      timestamp: signedTime({ header: 'x-signature-timestamp' }),
      content: ({ timestamp, body }) => [timestamp, body],
      keyEncoding,
    }),
    ...(await pairs('ed25519', keyEncoding)),
    toleranceMs: 300_000,
  }))),
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
    ...(await pairs('ed25519', 'base64')),
    toleranceMs: 300_000,
  },
  ...(await each(['der', 'ieee-p1363'], async (format) => ({
    name: `ecdsa in ${format} (SendGrid)`,
    scheme: ecdsa({
      header: 'x-twilio-email-event-webhook-signature',
      encoding: 'base64',
      timestamp: signedTime({ header: 'x-twilio-email-event-webhook-timestamp' }),
      content: ({ timestamp, body }) => [timestamp, body],
      format,
      keyEncoding: 'der',
    }),
    ...(await pairs('p256', 'der')),
    toleranceMs: 300_000,
  }))),
  ...(await each(['pkcs1', 'pss'], async (padding) => ({
    name: `rsa ${padding}`,
    scheme: rsa({ header: 'x-signature', encoding: 'base64', padding }),
    ...(await pairs('rsa2048', 'pem')),
  }))),
]
