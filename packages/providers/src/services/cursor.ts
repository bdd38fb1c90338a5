import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Cursor: webhooks of cloud agents. */
export const cursor = defineService({
  name: 'cursor',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-webhook-signature',
    prefix: 'sha256=',
  }),
  kind: ['event', 'status'],
  subject: 'id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Cursor',
  docs: 'https://cursor.com/docs/cloud-agent/api/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://cursor.com/docs/cloud-agent/api/webhooks.md'],
  setup: [
    'Send the address and a secret as `webhook` when you create an agent with the API.',
    'The secret is the text that you send.',
  ],
  retries: 'unknown',
  traps: ['Only `statusChange` is sent, for the states `FINISHED` and `ERROR`: the kind has the state.'],
}
