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
  subject: ['item_id', 'transfer_id', 'identity_verification_id', 'asset_report_id'],
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Plaid',
  docs: 'https://plaid.com/docs/api/webhooks/webhook-verification/',
  confidence: 'secondary',
  setup: [
    'Send the address as `webhook` with a link token, or enter it in the dashboard.',
    'The secret is `client_id:secret` of your keys, with which the provider reads the public keys of Plaid. For the sandbox, it is `sandbox:client_id:secret`.',
  ],
  retries: 'for 24 hours with growing delays',
  traps: [
    'Most webhooks have no id and no time: the id is the hash of the body, and two equal webhooks for one Item are duplicates.',
  ],
}
