import { basicAuth, defineService, type ServiceFacts } from '@sallyport/webhooks'

/** Marqeta: webhooks of a program, with basic authentication. */
export const marqeta = defineService({
  name: 'marqeta',
  signature: basicAuth(),
  events: [
    'transactions.*',
    'cardtransitions.*',
    'usertransitions.*',
    'businesstransitions.*',
    'chargebacktransitions.*',
    'digitalwallettokentransitions.*',
    'pings.*',
  ],
  kind: [(event, { payload }) => readFamily(event, payload), 'type'],
  subject: ['user_token', 'card_token', 'token'],
  time: 'created_time',
})

/** The name of the list that has the event, in the singular. */
function readFamily(event: unknown, payload: unknown): string | undefined {
  const families = Object.entries(Object(payload) as Readonly<Record<string, unknown>>)
  return families.find(([, list]) => Array.isArray(list) && list.includes(event))?.[0].replace(/s$/, '')
}

export const facts: ServiceFacts = {
  title: 'Marqeta',
  docs: 'https://www.marqeta.com/docs/core-api/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://www.marqeta.com/docs/developer-guides/about-webhooks',
    'https://www.marqeta.com/docs/core-api/webhooks',
  ],
  setup: [
    'Create a webhook with the address, `basic_auth_username` and `basic_auth_password` with the API.',
    'The secret is `username:password`.',
  ],
  retries: 'ten times, after 4 seconds and then four times the delay before; pings never',
  traps: [
    'The password says nothing about the body.',
    'One delivery can have several families of events: the kind begins with the family.',
    'The id of an event is the hash of the delivery and the place of the event in it.',
  ],
}
