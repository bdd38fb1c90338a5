import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Vanta: webhooks of an account. */
export const vanta = defineService({
  name: 'vanta',
  createsSecret: true,
  signature: standardWebhooks({ prefix: 'svix' }),
  kind: (event) => readEntity(event)?.[0],
  id: { header: 'svix-id' },
  subject: (event) => readEntity(event)?.[1],
})

/** The only member of a body has the name of the entity. */
function readEntity(event: unknown): readonly [name: string, id: unknown] | undefined {
  const [member] = Object.entries(Object(event) as Readonly<Record<string, { readonly id?: unknown } | null>>)
  return member && [member[0], member[1]?.id]
}

export const facts: ServiceFacts = {
  title: 'Vanta',
  docs: 'https://developer.vanta.com/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.vanta.com/docs/webhooks.md',
    'https://developer.vanta.com/reference/webhooks/overview.md',
    'https://help.vanta.com/en/articles/13909210-configure-and-use-webhooks-in-vanta',
  ],
  identity: 'https://developer.vanta.com/reference/webhooks/overview.md',
  setup: [
    'Open Settings, Webhooks, and add an endpoint with the address.',
    'The secret is the signing secret of the endpoint, with its prefix `whsec_`.',
  ],
  retries: 'with growing delays for about five days',
  traps: [
    'A delivery does not name its event: the kind is the entity, such as `questionnaire`. Use an endpoint per event type to tell `created` from `deleted`.',
  ],
}
