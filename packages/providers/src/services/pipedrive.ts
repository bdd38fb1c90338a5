import { basicAuth, defineService, type ServiceFacts } from '@sallyport/webhooks'

/** Pipedrive: webhooks of version 2. */
export const pipedrive = defineService({
  name: 'pipedrive',
  signature: basicAuth(),
  kind: ['meta.entity', 'meta.action'],
  ignore: ['meta.attempt'],
  subject: ['meta.entity', 'meta.entity_id'],
  time: 'meta.timestamp',
})

export const facts: ServiceFacts = {
  title: 'Pipedrive',
  docs: 'https://pipedrive.readme.io/docs/guide-for-webhooks-v2',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://pipedrive.readme.io/docs/guide-for-webhooks-v2',
    'https://pipedrive.readme.io/docs/webhooks-v2-migration-guide',
    'https://devcommunity.pipedrive.com/t/troubleshooting-webhook-delivery-and-payload-structure/4964',
  ],
  setup: [
    'Open Tools and apps, Webhooks, and create a webhook with the address, an HTTP Auth username and a password.',
    'The secret is `username:password`.',
  ],
  retries: 'when the status is not 2xx',
  traps: [
    'The password says nothing about the body.',
    '`meta.attempt` changes between attempts: the id is the hash of the payload without it.',
    'Webhooks of version 1 have another payload, whose kind is `unknown`.',
  ],
}
