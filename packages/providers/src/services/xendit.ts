import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Xendit: webhooks of an account. */
export const xendit = defineService({
  name: 'xendit',
  createsSecret: true,
  signature: sharedToken({ header: 'x-callback-token' }),
  kind: (event) => readKind(event),
  subject: ['data.reference_id', 'external_id', 'data.id', 'id'],
  time: 'created',
})

function readKind(payload: unknown): string | undefined {
  const { event, status, merchant_name } = Object(payload) as Readonly<Record<string, string | undefined>>
  return event ?? (merchant_name && status && `invoice.${status.toLowerCase()}`)
}

export const facts: ServiceFacts = {
  title: 'Xendit',
  docs: 'https://docs.xendit.co/docs/handling-webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://docs.xendit.co/apidocs/webhook-behavior',
    'https://docsv2.xendit.co/v1/docs/handling-webhooks',
    'https://github.com/xendit/xendit-node/blob/master/docs/invoice/InvoiceCallback.md',
  ],
  setup: [
    'Open Settings, Developers, Webhooks, and enter the address for each product.',
    'The secret is the webhook verification token on that page.',
  ],
  retries: 'up to six times within 24 hours, but not after a timeout',
  traps: [
    'The token says nothing about the body: read payments again with the API.',
    'Invoices have no name of the event: their kind is `invoice` and the status. Other products of the first version, such as disbursements, have the kind `unknown`.',
    '`webhook-id` is not documented as unique: the id is the hash of the body.',
  ],
}
