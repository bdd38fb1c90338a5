import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Recall.ai: webhooks of a workspace. */
export const recallAi = defineService({
  name: 'recall-ai',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'event',
  id: { header: 'webhook-id' },
  subject: (event) => readSubject(event),
  time: ['data.data.updated_at', 'data.status.created_at'],
})

interface Event {
  readonly data?: Readonly<
    Record<'bot' | 'recording' | 'transcript', { readonly id?: string } | undefined>
  > & {
    readonly bot_id?: string
    readonly calendar_id?: string
  }
}

const readSubject = (event: unknown): string | undefined => {
  const { data } = Object(event) as Event
  const { bot, recording, transcript } = data ?? {}
  return bot?.id ?? recording?.id ?? transcript?.id ?? data?.bot_id ?? data?.calendar_id
}

export const facts: ServiceFacts = {
  title: 'Recall.ai',
  docs: 'https://docs.recall.ai/docs/authenticating-requests-from-recallai',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.recall.ai/docs/faq-webhooks',
    'https://docs.recall.ai/docs/bot-status-change-events',
    'https://recallai.readme.io/docs/calendar-v2-webhooks',
    'https://docs.svix.com/receiving/verifying-payloads/how-manual',
  ],
  identity: 'https://docs.svix.com/receiving/verifying-payloads/how-manual',
  setup: [
    'Open Webhooks in the dashboard, and add an endpoint with the address and the events.',
    'Open Developers, API Keys & Secrets, and create a workspace secret. It is the secret, with its prefix `whsec_`.',
  ],
  retries: 'for 24 hours with growing delays',
  traps: [
    'Recall.ai signs nothing without a workspace secret, and this provider refuses the delivery.',
    'Workspaces from before December 2025 send `svix-*` headers for some webhooks: declare a provider of your own.',
  ],
}
