import {
  defineService,
  formField,
  formSignature,
  hmac,
  parseForm,
  type ServiceFacts,
} from '@sallyport/webhooks'

/** OpenNode: webhooks of charges and withdrawals. */
export const opennode = defineService({
  name: 'opennode',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: formSignature('hashed_order'),
    content: ({ body }) => [formField(body, 'id')],
    covers: ['id'],
  }),
  parse: parseForm,
  kind: 'status',
  subject: ['order_id', 'id'],
  time: 'processed_at',
})

export const facts: ServiceFacts = {
  title: 'OpenNode',
  docs: 'https://developers.opennode.com/docs/charges-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.opennode.com/docs/charges-webhooks',
    'https://developers.opennode.com/docs/withdrawals',
    'https://developers.opennode.com/docs/general',
  ],
  setup: [
    'Send the address as `callback_url` of each charge or withdrawal.',
    'The secret is the API key that creates the charge.',
  ],
  retries: 'unknown',
  covers: 'the id of the charge, not its status and amount',
  traps: [
    'The signature of a charge never changes: a person who reads one delivery can send any status. Read the charge again with the API.',
    'A copy of a delivery with other unsigned members is a new event: count a charge once by its id and status.',
  ],
}
