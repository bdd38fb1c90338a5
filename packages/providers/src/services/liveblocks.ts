import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Liveblocks: webhooks of a project. */
export const liveblocks = defineService({
  name: 'liveblocks',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: ['data.projectId', 'data.roomId'],
  time: (event) => readTime(event),
})

type Times = Readonly<Record<'updatedAt' | 'createdAt' | 'deletedAt' | 'enteredAt' | 'leftAt', unknown>>

const readTime = (event: unknown): unknown => {
  const data = Object((Object(event) as { readonly data?: unknown }).data) as Partial<Times>
  return data.updatedAt ?? data.createdAt ?? data.deletedAt ?? data.enteredAt ?? data.leftAt
}

export const facts: ServiceFacts = {
  title: 'Liveblocks',
  docs: 'https://liveblocks.io/docs/platform/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://liveblocks.io/docs/platform/webhooks',
    'https://docs.svix.com/receiving/verifying-payloads/how-manual',
  ],
  identity: 'https://docs.svix.com/receiving/verifying-payloads/how-manual',
  setup: [
    'Open the project, Webhooks, and create an endpoint with the address and the events.',
    'The secret is the signing secret of the endpoint: `whsec_…`.',
  ],
  retries: 'with growing delays, as Svix does; five days of failures disable the endpoint',
}
