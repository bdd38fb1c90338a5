import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** BitGo: webhooks of wallets and enterprises. */
export const bitgo = defineService({
  name: 'bitgo',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature-sha256' }),
  kind: 'type',
  distinct: true,
  subject: ['wallet', 'transfer', 'walletId', 'pendingApprovalId'],
})

export const facts: ServiceFacts = {
  title: 'BitGo',
  docs: 'https://developers.bitgo.com/guides/webhooks/overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.bitgo.com/docs/webhooks-overview',
    'https://developers.bitgo.com/guides/webhooks/overview',
  ],
  setup: [
    'Create a webhook secret and webhooks with the address with the API.',
    'The secret is the webhook secret of the enterprise or organization.',
  ],
  retries: 'up to seven more times within about 8 hours',
  traps: [
    'Without a webhook secret, BitGo does not sign: the provider refuses such deliveries.',
    'Webhooks of policy rules are tokens that need a signed answer: the provider refuses them.',
    'The body has no id, time or number of confirmations: two changes can have equal bodies. Each delivery is a new event, and a retry is one, too.',
  ],
}
