import { createHeaders } from './create-headers.ts'
import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { SignatureScheme, Verification } from '../ports/ports.ts'
import { ed25519 } from './ed25519.ts'
import { changeDelivery } from './change-delivery.ts'
import { hmac } from './hmac.ts'
import { refusal } from './proof.ts'
import { base64Secret, createRandomSecret } from './keys.ts'
import { signedId, signedTime } from './stamps.ts'
import { structuredHeader } from './signature-header.ts'

export interface StandardWebhooksOptions {
  /**
   * The prefix of the header names. With `svix`, a delivery can have `webhook-*` headers instead, as in the SDK of Svix: the
   * provider reads them as `svix-*`. A delivery with headers of both kinds needs equal values in both.
   *
   * @default 'webhook'
   */
  readonly prefix?: string
  /**
   * The encoding of a symmetric secret.
   *
   * - `base64`: base64, with or without the prefix
   * - `utf8`: the whole text
   * - `base64-after-prefix`: base64 after the prefix, and the whole text for a secret without the prefix
   *
   * @default 'base64'
   */
  readonly secretEncoding?: 'base64' | 'utf8' | 'base64-after-prefix'
  /** The prefix of a symmetric secret. @default 'whsec_' */
  readonly secretPrefix?: string
  /** The separator between signatures. @default ' ' */
  readonly separator?: ' ' | ', '
  /** The maximum difference of a delivery's time to the clock, in seconds. @default 300 */
  readonly toleranceSeconds?: number
  /** Creates the id when `sign` gets a delivery without an id. @default a random UUID */
  readonly newId?: () => string
}

/**
 * Standard Webhooks: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 *
 * The prefix of a secret selects the algorithm: `whsec_` or no prefix for HMAC-SHA256 (`v1`), `whpk_` for an Ed25519 public
 * key (`v1a`), and `whsk_` for the private key of `sign`. One valid signature is enough.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no secret verifies and a secret is unusable
 *
 * @example
 * ```ts
 * import { standardWebhooks } from '@sallyport/webhooks'
 *
 * const signature = standardWebhooks({ prefix: 'svix' })
 * ```
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function standardWebhooks(options: StandardWebhooksOptions = {}): SignatureScheme {
  return options.prefix === 'svix' ? eitherPrefix(options) : onePrefix(options, options.prefix ?? 'webhook')
}

const suffixes = ['id', 'timestamp', 'signature'] as const

/**
 * Reads the headers of Svix when a delivery has any of them, otherwise the headers of Standard Webhooks, and never a mix. The
 * verified headers have the names of Svix in both cases, so that a copy with renamed headers has the id of its original.
 */
function eitherPrefix(options: StandardWebhooksOptions): SignatureScheme {
  const svix = onePrefix(options, 'svix')
  return {
    ...svix,
    // The verified headers have neither `webhook-id` nor `webhook-timestamp`, so that neither is an id. Both stay readable.
    headers: [...svix.headers, 'webhook-signature'],
    async verify(delivery, secrets, now) {
      const pairs = suffixes.map((suffix) => {
        return [delivery.headers.get(`svix-${suffix}`), delivery.headers.get(`webhook-${suffix}`)] as const
      })
      const isSvix = pairs.some(([own]) => own !== null)
      // A header that is not verified could give a replayed delivery another id.
      if (isSvix && pairs.some(([own, other]) => other !== null && other !== own)) return refusal('malformed')
      const headers = isSvix ? delivery.headers : renameHeaders(delivery.headers)
      const verification = await svix.verify(changeDelivery(delivery, { headers }), secrets, now)
      return verification.verified ? { ...verification, headers } : verification
    },
  }
}

/** Gives the headers of Standard Webhooks the names of Svix. */
const renameHeaders = (headers: DeliveryHeaders): DeliveryHeaders =>
  createHeaders(
    Array.from(
      headers,
      ([name, value]) => [name.toLowerCase().replace(standardName, 'svix-$1'), value] as const,
    ),
  )

const standardName = /^webhook-(id|timestamp|signature)$/

function onePrefix(options: StandardWebhooksOptions, prefix: string): SignatureScheme {
  const { secretEncoding = 'base64', secretPrefix = 'whsec_', toleranceSeconds = 300, newId } = options
  const { separator = ' ' } = options
  const decodeSecret = base64Secret(secretPrefix)
  const header = (signature: string) =>
    structuredHeader(`${prefix}-signature`, { signature, separator, divider: ',' })
  const proof = {
    encoding: 'base64',
    id: signedId({ header: `${prefix}-id`, ...(newId && { newId }) }),
    timestamp: signedTime({ header: `${prefix}-timestamp`, toleranceSeconds }),
    content: ({ id, timestamp, body }) => [`${id}.${timestamp}.`, body],
  } as const satisfies Partial<Parameters<typeof hmac>[0]>
  const symmetric = hmac({
    ...proof,
    algorithm: 'sha256',
    header: header('v1'),
    ...(secretEncoding !== 'utf8' && {
      key: (secret) =>
        secretEncoding === 'base64' || secret.startsWith(secretPrefix) ? decodeSecret(secret) : secret,
    }),
  })
  if (secretEncoding === 'utf8') return symmetric
  const asymmetric = ed25519({ ...proof, header: header('v1a'), keyEncoding: 'base64' })

  return {
    ...symmetric,
    verify(delivery, secrets, now) {
      if (!secrets.some(isPublicKey)) return symmetric.verify(delivery, secrets, now)
      const publicKeys = secrets.filter(isPublicKey).map(withoutPrefix)
      const shared = secrets.filter((secret) => !isPublicKey(secret))
      if (shared.length === 0) return asymmetric.verify(delivery, publicKeys, now)
      return verifyEither([
        async () => symmetric.verify(delivery, shared, now),
        async () => asymmetric.verify(delivery, publicKeys, now),
      ])
    },

    checkSecret(secret) {
      return isPublicKey(secret)
        ? asymmetric.checkSecret?.(withoutPrefix(secret))
        : symmetric.checkSecret?.(secret)
    },

    createSecret: () => secretPrefix + createRandomSecret(base64Secret()),

    sign(delivery, secret, now) {
      return secret.startsWith('whsk_')
        ? asymmetric.sign(delivery, withoutPrefix(secret), now)
        : symmetric.sign(delivery, secret, now)
    },
  }
}

/** Throws the error of an unusable secret only when no other secret verifies. */
async function verifyEither(attempts: readonly (() => Promise<Verification>)[]): Promise<Verification> {
  const outcomes = await Promise.allSettled(attempts.map((attempt) => attempt()))
  const verdicts = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value)
  const verified = verdicts.find((verdict) => verdict.verified)
  if (verified) return verified
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  // The signature of one algorithm is malformed for the other.
  return (
    verdicts.find((verdict) => !verdict.verified && verdict.reason !== 'malformed') ?? refusal('malformed')
  )
}

const isPublicKey = (secret: string): boolean => secret.startsWith('whpk_')
const withoutPrefix = (secret: string): string => secret.slice('whpk_'.length)
