import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Any service that sends with Svix. */
export const svix = defineService({
  name: 'svix',
  createsSecret: true,
  signature: standardWebhooks({ prefix: 'svix' }),
  kind: (event) => readKind(event),
  id: { header: 'svix-id' },
  subject: 'data.id',
  time: 'timestamp',
})

/** Most services follow the advice of Svix and write `type`. */
function readKind(payload: unknown): unknown {
  const { type, event_type, eventType, event } = Object(payload) as Readonly<Record<string, unknown>>
  return [type, event_type, eventType, event].find((name) => typeof name === 'string')
}

export const facts: ServiceFacts = {
  title: 'Svix',
  docs: 'https://docs.svix.com/receiving/verifying-payloads/how-manual',
  checked: '2026-11',
  sources: ['https://docs.svix.com/receiving/verifying-payloads/how-manual', 'https://docs.svix.com/retries'],
  identity: 'https://docs.svix.com/receiving/verifying-payloads/how-manual',
  confidence: 'primary',
  setup: [
    'Enter the address as an endpoint in the console of the service.',
    'The secret is the signing secret of the endpoint, with its prefix `whsec_`.',
  ],
  retries: 'after 5 seconds, 5 and 30 minutes, 2 and 5 hours, and twice after 10 hours',
  traps: [
    'For a service with a page of its own, such as Clerk or Resend, use its provider.',
    'The kind is the member `type`, `event_type`, `eventType` or `event` of the payload. A payload without such a member has the kind `unknown`.',
  ],
}
