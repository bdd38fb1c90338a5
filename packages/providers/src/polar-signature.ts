import { base64Secret, standardWebhooks, type SignatureScheme } from '@sallyport/webhooks'

const standard = standardWebhooks()
const text = standardWebhooks({ secretEncoding: 'utf8' })

const prefix = 'whsec_'
const decode = base64Secret(prefix)

/** Reports whether Standard Webhooks can use a secret. Secrets of older endpoints are no base64. */
function isStandard(secret: string): boolean {
  if (!secret.startsWith(prefix)) return false
  try {
    decode(secret)
    return true
  } catch {
    return false
  }
}

/**
 * Standard Webhooks with two keys of one secret: the bytes of the base64 after the prefix, and the whole text for an endpoint
 * from before September 2026. The secret does not tell the two apart.
 */
export const polarSignature: SignatureScheme = {
  ...standard,
  async verify(delivery, secrets, now) {
    const verification = await standard.verify(delivery, secrets.filter(isStandard), now)
    const isDecided = verification.verified || verification.reason !== 'mismatch'
    return isDecided ? verification : text.verify(delivery, secrets, now)
  },
  checkSecret: (secret) => text.checkSecret?.(secret),
  sign: (delivery, secret, now) => (isStandard(secret) ? standard : text).sign(delivery, secret, now),
}
