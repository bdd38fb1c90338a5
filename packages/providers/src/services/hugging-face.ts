import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Hugging Face: webhooks of the Hub. */
export const huggingFace = defineService({
  name: 'hugging-face',
  signature: sharedToken({ header: 'x-webhook-secret' }),
  kind: ['event.scope', 'event.action'],
  subject: 'repo.name',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Hugging Face',
  docs: 'https://huggingface.co/docs/hub/webhooks',
  confidence: 'primary',
  setup: [
    'Open Settings, Webhooks, and add a webhook with the address.',
    'Enter a random text in ASCII as the secret.',
  ],
  traps: [
    'The token says nothing about the body.',
    'The body has no id of the event: the hash of the body identifies it.',
  ],
}
