import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Hugging Face: webhooks of the Hub. */
export const huggingFace = defineService({
  name: 'hugging-face',
  signature: sharedToken({ header: 'x-webhook-secret' }),
  kind: ['event.scope', 'event.action'],
  distinct: true,
  subject: 'repo.name',
})

export const facts: ServiceFacts = {
  title: 'Hugging Face',
  docs: 'https://huggingface.co/docs/hub/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://github.com/huggingface/hub-docs/blob/main/docs/hub/webhooks.md'],
  setup: [
    'Open Settings, Webhooks, and add a webhook with the address.',
    'Enter a random text in ASCII as the secret.',
  ],
  retries: 'unknown',
  traps: [
    'The token says nothing about the body.',
    'Two changes, such as a repository that becomes private twice, have equal bodies and no id: each delivery is a new event, and a replay is one, too.',
  ],
}
