import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Column: webhook endpoints of a platform. */
export const column = defineService({
  name: 'column',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'column-signature' }),
  kind: 'type',
  id: 'id',
  subject: 'data.id',
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Column',
  docs: 'https://column.com/docs/workingwithapi/events-and-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://column.com/docs/workingwithapi/events-and-webhooks'],
  identity: 'https://column.com/docs/workingwithapi/events-and-webhooks',
  setup: [
    'Open Platform, Webhooks, and add an endpoint with the address.',
    'The secret is the secret of the endpoint.',
  ],
  retries: 'up to 25 times within 3 days',
}
