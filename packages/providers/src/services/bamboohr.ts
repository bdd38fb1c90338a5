import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** BambooHR: webhooks of an account. */
export const bamboohr = defineService({
  name: 'bamboohr',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-bamboohr-signature',
    timestamp: signedTime({ header: 'x-bamboohr-timestamp', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [body, timestamp],
  }),
  events: 'employees.*',
  kind: 'action',
  subject: 'id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'BambooHR',
  docs: 'https://documentation.bamboohr.com/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://documentation.bamboohr.com/docs/webhooks',
    'https://documentation.bamboohr.com/reference/company-integrations-updated-webhook',
  ],
  setup: [
    'Create a webhook with the address and the format JSON in the settings of the account or with the API.',
    'The secret is the private key of the webhook. BambooHR shows it once.',
  ],
  retries: 'up to five times after a status of 5xx, 5 to 80 minutes apart; a status of 4xx is final',
  traps: [
    'The time follows the body in the signed content.',
    'An event without a list of employees has the kind `unknown`.',
  ],
}
