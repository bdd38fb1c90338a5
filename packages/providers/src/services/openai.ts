import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** OpenAI: webhooks of projects. */
export const openai = defineService({
  name: 'openai',
  createsSecret: true,
  signature: standardWebhooks({ secretEncoding: 'base64-after-prefix' }),
  kind: 'type',
  id: 'id',
  subject: ['data.id', 'data.call_id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'OpenAI',
  docs: 'https://platform.openai.com/docs/guides/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/openai/openai-node/blob/master/src/resources/webhooks/webhooks.ts',
    'https://platform.openai.com/docs/guides/webhooks',
  ],
  identity: 'https://github.com/openai/openai-node/blob/master/src/resources/webhooks/webhooks.ts',
  setup: [
    'Open the settings of the project, Webhooks, and create an endpoint with the address.',
    'The secret is the signing secret, with its prefix `whsec_`.',
  ],
  retries: 'for up to 72 hours with growing delays',
  traps: [
    'The body has little more than the id of the object: fetch the object.',
    'The key of a secret without the prefix `whsec_` is the text.',
  ],
}
