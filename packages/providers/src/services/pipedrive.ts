import { basicAuth, defineService, type ServiceFacts } from '@sallyport/webhooks'

/** Pipedrive: webhooks of version 2. */
export const pipedrive = defineService({
  name: 'pipedrive',
  signature: basicAuth(),
  kind: ['meta.entity', 'meta.action'],
  id: 'meta.id',
  subject: ['meta.entity', 'meta.entity_id'],
  time: 'meta.timestamp',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Pipedrive',
  docs: 'https://pipedrive.readme.io/docs/guide-for-webhooks-v2',
  confidence: 'secondary',
  setup: [
    'Open Tools and apps, Webhooks, and create a webhook with the address, an HTTP Auth username and a password.',
    'The secret is `username:password`.',
  ],
  traps: [
    'The password says nothing about the body.',
    '`meta.attempt` changes between attempts: the id is `meta.id`.',
  ],
}
