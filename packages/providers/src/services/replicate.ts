import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Replicate: webhooks of predictions and trainings. */
export const replicate = defineService({
  name: 'replicate',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'status',
  id: { header: 'webhook-id' },
  subject: 'id',
  time: (event) => readTime(event),
  bodyLimit: 25 * 1024 * 1024,
})

function readTime(event: unknown): unknown {
  const { completed_at, started_at, created_at } = Object(event) as Readonly<Record<string, unknown>>
  return completed_at ?? started_at ?? created_at
}

export const facts: ServiceFacts = {
  title: 'Replicate',
  docs: 'https://replicate.com/docs/topics/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://replicate.com/docs/topics/webhooks/receive-webhook',
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Set `webhook` to the address and `webhook_events_filter` when you create a prediction or a training.',
    'The secret is the answer to `GET https://api.replicate.com/v1/webhooks/default/secret`.',
  ],
  retries: 'the last event of a prediction, until about one minute after its end; other events never',
  traps: [
    'The body is the prediction: events for output and logs have the status `processing`.',
    'Files in the output are deleted after one hour.',
  ],
}
