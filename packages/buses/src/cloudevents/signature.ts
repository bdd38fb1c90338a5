import {
  base64Secret,
  sha256Hex,
  standardWebhooks,
  type WebhookEvent,
  type MaybePromise,
} from '@sallyport/webhooks'
import type { HttpMessage } from '@sallyport/webhooks/http'

type Secret = string | (() => MaybePromise<string>)
type Signer = (
  message: HttpMessage,
  events: readonly WebhookEvent[],
) => Promise<Readonly<Record<string, string>>>

const scheme = standardWebhooks()
const encoder = new TextEncoder()
const [parseSymmetricKey, parsePrivateKey] = [base64Secret('whsec_'), base64Secret('whsk_')]
export const secretFormat = '"whsec_" and base64, or "whsk_" and an Ed25519 private key in base64'

/**
 * Creates a function that signs requests with Standard Webhooks. The same events always have the same `webhook-id`.
 *
 * @param now milliseconds since the epoch
 * @throws TypeError if `secret` is an unusable string
 */
export function createSigner(secret: Secret, now: () => number): Signer {
  if (typeof secret !== 'function' && !isUsable(secret)) throw new TypeError(`secret must be ${secretFormat}`)
  return async (message, events) => {
    const ids = JSON.stringify(events.map(({ id }) => id))
    // The hash avoids dots: an event id may contain a dot, a signed id may not.
    const headers = new Headers({ 'webhook-id': `msg_${await sha256Hex(encoder.encode(ids))}` })
    const delivery = { method: 'POST', headers, body: encoder.encode(message.body) }
    return scheme.sign(delivery, await readSecret(secret), now())
  }
}

/** @throws TypeError with the code `SECRET_UNUSABLE` if the function returns an unusable secret */
async function readSecret(secret: Secret): Promise<string> {
  const value = typeof secret === 'function' ? await secret() : secret
  if (isUsable(value)) return value
  const error = new TypeError(`The secret function must return ${secretFormat}`)
  throw Object.assign(error, { code: 'SECRET_UNUSABLE' })
}

/** Reports whether a secret signs Standard Webhooks. */
export function isUsable(secret: unknown): boolean {
  if (typeof secret !== 'string') return false
  try {
    // A key that is read from a file may end with a newline.
    const isPrivate = secret.startsWith('whsk_')
    const { length } = isPrivate ? parsePrivateKey(secret.trim()) : parseSymmetricKey(secret)
    return !isPrivate || length === 32 || length === 64
  } catch {
    return false
  }
}
