import {
  signDelivery,
  standardWebhooks,
  type AnyProvider,
  type MaybePromise,
  type SignedDelivery,
} from '@sallyport/webhooks'
import { ignoreRejection } from '@sallyport/internal/promises'
import { isUsable, secretFormat } from '../cloudevents/signature.ts'

/** One or several secrets of a destination, the newest first, or a function that is called for every request. */
export type DestinationSecrets = string | readonly string[] | (() => MaybePromise<readonly string[]>)

export interface UnsignedRequest {
  /** The id of the message, which all attempts share. */
  readonly id: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The provider of the message. */
  readonly provider: string
}

/** Signs a request; its headers contain all headers to send. */
export type Sign = (request: UnsignedRequest, now: number) => Promise<SignedDelivery>

/** A message that no secret can sign. */
export class UnsignableError extends Error {}

const scheme = standardWebhooks()

/**
 * Creates a function that signs with Standard Webhooks, once with every secret.
 *
 * @throws TypeError for an unusable secret
 */
export function createStandardSigner(secrets: DestinationSecrets): Sign {
  const read = createReader(secrets, (secret) => {
    if (!isUsable(secret)) throw new TypeError(`secrets must be ${secretFormat}`)
  })
  return async ({ id, headers, body }, now) => {
    const delivery = { method: 'POST', headers: new Headers({ 'webhook-id': id }), body }
    const proofs = await Promise.all((await read()).map(async (secret) => scheme.sign(delivery, secret, now)))
    const signature = proofs.map((proof) => proof['webhook-signature']).join(' ')
    return { headers: { ...headers, ...proofs[0], 'webhook-signature': signature }, body }
  }
}

/**
 * Creates a function that signs as the provider of a delivery does, with the newest secret.
 *
 * @throws TypeError for a provider whose private key only the service has, and for a secret that a provider cannot use
 */
export function createProviderSigner(secrets: DestinationSecrets, providers: readonly AnyProvider[]): Sign {
  for (const provider of providers) checkSymmetric(provider)
  const read = createReader(secrets, (secret) => {
    for (const { name, signature } of providers) {
      try {
        ignoreRejection(signature.checkSecret?.(secret))
      } catch {
        throw new TypeError(`The secret of the destination cannot sign deliveries of ${name}`)
      }
    }
  })
  const schemes = new Map(providers.map(({ name, signature }) => [name, signature]))
  return async ({ url, headers, body, provider }, now) => {
    const signature = schemes.get(provider)
    if (signature === undefined) throw new UnsignableError(`providers of the destination has no ${provider}`)
    const [secret = ''] = await read()
    const delivery = { method: 'POST', url: url.href, headers: new Headers(headers), body }
    let signed: SignedDelivery
    try {
      signed = await signDelivery(signature, delivery, secret, now)
    } catch {
      // The error can quote the secret.
      throw new UnsignableError(`The delivery cannot be signed as ${provider} does`)
    }
    return { ...signed, headers: { ...headers, ...lowerNames(signed.headers) } }
  }
}

const symmetric = new Set(['hmac', 'hash', 'token', 'basic', 'query-token', 'body-token'])

function checkSymmetric({ name, signature: { description } }: AnyProvider): void {
  const isShared =
    description === undefined ||
    symmetric.has(description.scheme) ||
    (description.scheme === 'jwt' && description.options.algorithms.every((one) => one.startsWith('HS')))
  if (!isShared)
    throw new TypeError(
      `${name} signs with a private key that only the service has: use sign: 'standard-webhooks'`,
    )
}

/** @throws TypeError for an unusable secret; from the function too */
function createReader(
  secrets: DestinationSecrets,
  check: (secret: string) => void,
): () => Promise<readonly string[]> {
  const checked = (values: readonly string[]): readonly string[] => {
    if (values.length === 0) throw new TypeError('secrets must not be empty')
    for (const value of values) check(value)
    return values
  }
  if (typeof secrets === 'function') return async () => checked(await secrets())
  const values = checked([secrets].flat())
  return () => Promise.resolve(values)
}

const lowerNames = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
