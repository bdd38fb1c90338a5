import { formContent, hmac, sortedForm, type SignatureScheme } from '@sallyport/webhooks'

const create = (algorithm: 'sha1' | 'sha256') =>
  hmac({
    algorithm,
    encoding: 'base64',
    header: 'x-twilio-signature',
    forms: sortedForm,
    content: formContent,
    identity: (content) => content,
  })

const sha1 = create('sha1')
const sha256 = create('sha256')

/** Whether the account signs with a shared key and SHA-256. A false value only leads to a mismatch. */
const usesSha256 = (settings: string | null): boolean => /\balgorithm=HMAC_SHA256\b/.test(settings ?? '')

/** HMAC-SHA1 with the auth token, or the algorithm that a delivery with a shared key names. */
export const twilioSignature: SignatureScheme = {
  ...sha1,
  verify(delivery, secrets, now) {
    const settings = delivery.headers.get('x-twilio-webhooks-signature-settings')
    return (usesSha256(settings) ? sha256 : sha1).verify(delivery, secrets, now)
  },
}
