import { readCertificateKey } from '../crypto/certificate.ts'
import { utf8 } from '../crypto/encoding.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { jsonField, jsonSignature } from './body-fields.ts'
import { fetchDocument, isAllowedUrl } from './fetch-document.ts'
import { createKeyLookup } from './key-lookup.ts'
import { isSecret } from './keys.ts'
import { refusal } from './proof.ts'
import { rsa } from './rsa.ts'
import { signedTime } from './stamps.ts'

export interface SnsOptions {
  /** Fetches the certificates of Amazon. @default the global fetch */
  readonly fetch?: typeof fetch
  /** The maximum difference of `Timestamp` to the clock, in seconds. Amazon retries with the same time. @default no limit */
  readonly toleranceSeconds?: number
  /** The private key of `sign` in PEM (PKCS #8), for tests. */
  readonly signingKey?: string
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/**
 * The hosts of Amazon SNS in all regions. The form of a region excludes `sns.s3-us-west-2.amazonaws.com`, a bucket that anyone
 * can own, and other services.
 */
export const snsHosts: readonly RegExp[] = [
  /^sns\.[a-z]{2}-(?:gov-)?[a-z]{4,9}-\d{1,2}\.amazonaws\.com$/,
  /^sns\.cn-[a-z]{4,9}-\d{1,2}\.amazonaws\.com\.cn$/,
]

const notification = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
const confirmation = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
const signedNames: Readonly<Record<string, readonly string[]>> = {
  Notification: notification,
  SubscriptionConfirmation: confirmation,
  UnsubscribeConfirmation: confirmation,
}

/**
 * Amazon SNS over HTTPS: RSA with a certificate that the body names, with SHA-1 for version 1 and SHA-256 for version 2.
 *
 * The secrets of the provider are the accepted topics, as `TopicArn`: every AWS account can sign messages. The certificate must
 * come from a host of Amazon SNS in a region, at `/SimpleNotificationService-<hex>.pem`. A line break in a signed member
 * other than `Message` is rejected. The verified body has only the signed members: `UnsubscribeURL` is not signed. Raw
 * message delivery has no signature and is rejected.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when the certificate is not available
 *
 * @example
 * ```ts
 * import { sns } from '@sallyport/webhooks/sns'
 *
 * const signature = sns()
 * ```
 *
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
export function sns(options: SnsOptions = {}): SignatureScheme {
  const { toleranceSeconds, signingKey, now = Date.now } = options
  const findKey = createKeyLookup({
    async load(url) {
      const pem = await fetchDocument(url, {
        hosts: snsHosts,
        ...(options.fetch && { fetch: options.fetch }),
      })
      const { key, notBefore, notAfter } = readCertificateKey(pem)
      if (now() < notBefore || now() > notAfter) throw new Error('The certificate is not valid now')
      return key
    },
    now,
  })
  const createVersion = (hash: 'sha1' | 'sha256') =>
    rsa({
      header: jsonSignature('Signature'),
      encoding: 'base64',
      keyEncoding: 'der',
      hash,
      keys: async (_, { body }) => [(await findKey(jsonField(body, 'SigningCertURL') ?? '')) ?? []].flat(),
      content: ({ body }) => listSigned(body).flatMap(([name, value]) => [name, '\n', value, '\n']),
      ...(toleranceSeconds !== undefined && {
        timestamp: signedTime({
          unit: 'rfc3339',
          toleranceSeconds,
          fromBody: (body) => jsonField(body, 'Timestamp'),
        }),
      }),
      ...(signingKey !== undefined && { signingKey: toDer(signingKey) }),
    })
  const versions: Readonly<Record<string, SignatureScheme>> = {
    1: createVersion('sha1'),
    2: createVersion('sha256'),
  }
  const findVersion = (body: Uint8Array) => versions[jsonField(body, 'SignatureVersion') ?? '']

  return {
    headers: [],
    description: { scheme: 'sns', options },

    async verify(delivery, topics, at) {
      const { body } = delivery
      if (jsonField(body, 'Signature') === undefined) return refusal('missing')
      const url = jsonField(body, 'SigningCertURL') ?? ''
      const version = findVersion(body)
      if (version === undefined || !isCertificateUrl(url) || hasMovableBorder(body))
        return refusal('malformed')
      if (!topics.filter(isSecret).includes(jsonField(body, 'TopicArn') ?? '')) return refusal('mismatch')
      const verification = await version.verify(delivery, topics, at)
      if (!verification.verified) return verification
      return { verified: true, body: utf8(JSON.stringify(Object.fromEntries(listSigned(body)))) }
    },

    sign: () => ({}),

    async signBody(delivery: Delivery, topic: string, at: number) {
      const signed = await findVersion(delivery.body)?.signBody?.(delivery, topic, at)
      if (signed === undefined) throw new TypeError('The body has no SignatureVersion')
      return signed
    },
  }
}

/** Lists the signed members in their order. A value is undefined when a required member is missing. */
function listSigned(body: Uint8Array): (readonly [name: string, value: string | undefined])[] {
  const names = signedNames[jsonField(body, 'Type') ?? ''] ?? ['Type of another message']
  return names
    .map((name) => [name, jsonField(body, name)] as const)
    .filter(([name, value]) => name !== 'Subject' || value !== undefined)
}

/** A line break in another member than the first could move the border to the next member. */
const hasMovableBorder = (body: Uint8Array): boolean =>
  listSigned(body).some(([name, value]) => name !== 'Message' && value?.includes('\n'))

function isCertificateUrl(url: string): boolean {
  if (!isAllowedUrl(url, snsHosts)) return false
  const { pathname, search } = new URL(url)
  return search === '' && /^\/SimpleNotificationService-[0-9a-f]{1,64}\.pem$/.test(pathname)
}

const toDer = (pem: string): string => pem.replaceAll(/-----[A-Z ]+-----|\s/g, '')
