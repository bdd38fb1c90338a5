import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** GoCardless: webhooks with up to 250 events. */
export const gocardless = defineService({
  name: 'gocardless',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'webhook-signature' }),
  events: 'events.*',
  kind: ['resource_type', 'action'],
  id: 'id',
  subject: (event) => {
    const { resource_type, links } = Object(event) as {
      resource_type?: string
      links?: Readonly<Record<string, string>>
    }
    return links?.[resource_type?.replace(/s$/, '') ?? '']
  },
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'GoCardless',
  docs: 'https://developer.gocardless.com/getting-started/api/staying-up-to-date-with-webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.gocardless.com/getting-started/api/staying-up-to-date-with-webhooks/',
    'https://support.gocardless.com/hc/en-nz/articles/360000989989-Webhook-retries-failures',
    'https://github.com/gocardless/gocardless-nodejs/blob/master/src/types/Types.ts',
  ],
  identity: 'https://github.com/gocardless/gocardless-nodejs/blob/master/src/types/Types.ts',
  setup: [
    'Open Developers, Create, Webhook endpoint, and enter the address.',
    'The secret is the secret of the endpoint.',
  ],
  retries: 'up to eight times with growing delays, the whole webhook again',
}
