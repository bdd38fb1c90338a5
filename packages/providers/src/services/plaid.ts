import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'
import { findPlaidKey } from '../plaid-keys.ts'

/** Plaid: webhooks of Items and products. */
export const plaid = defineService({
  name: 'plaid',
  signature: jwt({
    header: 'plaid-verification',
    algorithms: ['ES256'],
    keyId: 'k1',
    keys: async ({ kid }, _, secrets) => findPlaidKey(kid, secrets),
  }),
  kind: ['webhook_type', 'webhook_code'],
  // Equal webhooks report different changes of an Item.
  distinct: true,
  subject: (event) => readSubject(event),
})

const subjects = ['item_id', 'transfer_id', 'identity_verification_id', 'asset_report_id']

/** Webhooks of transfers have no id of an entity. */
function readSubject(event: unknown): unknown {
  const members = Object(event) as Readonly<Record<string, unknown>>
  return subjects.map((name) => members[name]).find((id) => id !== undefined)
}

export const facts: ServiceFacts = {
  title: 'Plaid',
  docs: 'https://plaid.com/docs/api/webhooks/webhook-verification/',
  checked: '2026-11',
  sources: [
    'https://plaid.com/docs/api/webhooks/webhook-verification/',
    'https://plaid.com/docs/api/webhooks',
    'https://github.com/plaid/plaid-openapi/blob/master/2020-09-14.yml',
  ],
  confidence: 'secondary',
  setup: [
    'Send the address as `webhook` with a link token, or enter it in the dashboard.',
    'The secret is `client_id:secret` of your keys, with which the provider reads the public keys of Plaid. For the sandbox, it is `sandbox:client_id:secret`.',
  ],
  retries: 'for 24 hours with growing delays',
  traps: [
    'Most webhooks have no id and no time, and `SYNC_UPDATES_AVAILABLE` has equal bodies for different changes: each delivery is an event, also another attempt. Read the changes with the API.',
  ],
}
