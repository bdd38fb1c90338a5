import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Composio: triggers of a project. */
export const composio = defineService({
  name: 'composio',
  createsSecret: true,
  signature: standardWebhooks({ secretEncoding: 'utf8' }),
  kind: [
    (event) => {
      const { type, trigger_name } = Object(event) as {
        readonly type?: string
        readonly trigger_name?: string
      }
      return type ?? trigger_name
    },
    'metadata.trigger_slug',
  ],
  id: { header: 'webhook-id' },
  subject: 'metadata.trigger_id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Composio',
  docs: 'https://docs.composio.dev/docs/webhook-verification',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.composio.dev/docs/webhook-verification.md',
    'https://docs.composio.dev/reference/api-reference/webhook-events/composio_trigger_message.md',
    'https://docs.composio.dev/reference/api-reference/webhook-events/composio_trigger_message_v1.md',
    'https://github.com/ComposioHQ/composio/blob/next/ts/packages/core/src/models/Triggers.ts',
  ],
  identity: 'https://docs.composio.dev/reference/api-reference/webhook-events/composio_trigger_message.md',
  setup: [
    'Create a webhook subscription with the address with the API, or in the settings of the project.',
    'The secret is the secret of the subscription, whole, as text. Composio shows it once.',
  ],
  retries: 'unknown',
  traps: [
    'The kind has the name of the trigger, such as `composio.trigger.message.GITHUB_COMMIT_EVENT`. Versions 1 and 2 of the payload have other kinds.',
    '`x-composio-delivery-attempt` counts the attempts, and is not signed.',
  ],
}
