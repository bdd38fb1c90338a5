import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Recall.ai: webhooks of a workspace. */
export const recallAi = defineService({
  name: 'recall-ai',
  signature: standardWebhooks(),
  kind: 'event',
  id: { header: 'webhook-id' },
  subject: (event) => readSubject(event),
  time: 'data.data.updated_at',
})

interface Event {
  readonly data?: Readonly<Record<string, { readonly id?: string } | undefined>>
}

const readSubject = (event: unknown): string | undefined => {
  const { bot, recording, transcript } = (Object(event) as Event).data ?? {}
  return bot?.id ?? recording?.id ?? transcript?.id
}

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Recall.ai',
  docs: 'https://docs.recall.ai/docs/authenticating-requests-from-recallai',
  confidence: 'primary',
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
