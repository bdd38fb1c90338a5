import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Xendit: webhooks of an account. */
export const xendit = defineService({
  name: 'xendit',
  signature: sharedToken({ header: 'x-callback-token' }),
  kind: (event) => readKind(event),
  id: { header: 'webhook-id' },
  subject: ['data.reference_id', 'external_id', 'data.id', 'id'],
  time: 'created',
})

function readKind(payload: unknown): string | undefined {
  const { event, status } = Object(payload) as Readonly<Record<string, string | undefined>>
  return event ?? (status && `invoice.${status.toLowerCase()}`)
}

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Xendit',
  docs: 'https://docs.xendit.co/docs/handling-webhooks',
  confidence: 'secondary',
  setup: [
    'Open Settings, Developers, Webhooks, and enter the address for each product.',
    'The secret is the webhook verification token on that page.',
  ],
  traps: [
    'The token says nothing about the body: read payments again with the API.',
    'Invoices have no name of the event: their kind is `invoice` and the status.',
  ],
}
