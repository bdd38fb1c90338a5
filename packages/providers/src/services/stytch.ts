import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Stytch: webhooks of projects. */
export const stytch = defineService({
  name: 'stytch',
  createsSecret: true,
  signature: standardWebhooks({ prefix: 'svix' }),
  kind: [(event) => lower(event, 'source'), 'object_type', (event) => lower(event, 'action')],
  id: 'event_id',
  subject: 'id',
  time: 'timestamp',
})

function lower(event: unknown, name: string): unknown {
  const value = (Object(event) as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value.toLowerCase() : undefined
}

export const facts: ServiceFacts = {
  title: 'Stytch',
  docs: 'https://stytch.com/docs/b2b/guides/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://stytch.com/docs/b2b/guides/webhooks'],
  identity: 'https://stytch.com/docs/b2b/guides/webhooks',
  setup: [
    'Open the dashboard, Webhooks, and add an endpoint with the address.',
    'The secret is the signing secret, with its prefix `whsec_`.',
  ],
  retries: 'eight attempts in about 28 hours',
  traps: [
    'The kind joins the source, the type of the object and the action: `direct.member.create`.',
    'An event of a deletion has ids only.',
  ],
}
