import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Auth0: event streams to a webhook. */
export const auth0 = defineService({
  name: 'auth0',
  signature: sharedToken({ header: 'authorization', prefix: 'Bearer ' }),
  kind: 'type',
  id: 'id',
  subject: ['data.object.user_id', 'data.object.id'],
  time: 'time',
})

export const facts: ServiceFacts = {
  title: 'Auth0 (Event Streams)',
  docs: 'https://auth0.com/docs/customize/events',
  checked: '2026-11',
  sources: [
    'https://auth0.com/docs/customize/events/events-best-practices',
    'https://auth0.com/docs/customize/events',
  ],
  identity: 'https://auth0.com/docs/customize/events/events-best-practices',
  confidence: 'primary',
  setup: [
    'Open Event Streams and create a stream of the type Webhook with the address.',
    'Select Bearer as the authorization method, and enter a random text as the token.',
  ],
  retries: 'three times, after 1, 2 and 4 seconds; a status of 4xx is final',
  traps: ['The token says nothing about the body.'],
}
