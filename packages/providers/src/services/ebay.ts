import { defineService, ecdsa, type ServiceFacts } from '@sallyport/webhooks'
import { ebayHandshake } from '@sallyport/webhooks/handshakes'
import { ebaySignature, findEbayKeys } from '../ebay-keys.ts'
import { createVerifyTokenHandshake, withVerifyTokens } from '../verify-tokens.ts'

/** eBay: notifications of the Notification API, such as closed accounts. */
export const ebay = defineService({
  name: 'ebay',
  signature: withVerifyTokens(
    ecdsa({
      header: ebaySignature,
      encoding: 'base64',
      hash: 'sha1',
      keyEncoding: 'der',
      keys: (secrets, { headers }) => findEbayKeys(secrets, headers),
    }),
  ),
  kind: 'metadata.topic',
  ignore: ['notification.publishDate', 'notification.publishAttemptCount'],
  subject: ['notification.data.userId', 'notification.notificationId'],
  time: 'notification.eventDate',
  handshake: createVerifyTokenHandshake(([secret = '']) => {
    const [verificationToken = ''] = secret.split(':', 1)
    return ebayHandshake({ verificationToken, endpoint: secret.slice(verificationToken.length + 1) })
  }),
})

export const facts: ServiceFacts = {
  title: 'eBay',
  docs: 'https://developer.ebay.com/marketplace-account-deletion',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/eBay/event-notification-nodejs-sdk/blob/main/lib/validator.js',
    'https://github.com/eBay/event-notification-nodejs-sdk/blob/main/test/test.json',
    'https://developer.ebay.com/marketplace-account-deletion',
  ],
  setup: [
    'Configure the secrets `client_id:client_secret` of the application and `verify:<verification token>:<address>`. For the sandbox, the first one is `sandbox:client_id:client_secret`.',
    'Then open Alerts and Notifications of the application, and enter the address and the verification token, a random text of 32 to 80 letters, digits, `_` and `-`. eBay verifies the address at once.',
  ],
  retries: 'unknown',
  traps: [
    'The keys of eBay are the same for all applications: the signature proves eBay, not that the notification is for your application.',
    'The address in the secret must be the same as in the configuration of eBay, to the letter.',
    'The signature uses SHA-1, without a choice.',
  ],
}
