import { defineService, hmac, type ServiceFacts, type SignatureLocation } from '@sallyport/webhooks'

const name = 'x-merge-webhook-signature'

/** Merge writes base64url with padding. */
const location: SignatureLocation = {
  names: [name],
  read({ headers }) {
    const value = headers.get(name)
    if (value === null) return 'missing'
    return { signatures: value.endsWith('=') ? [value.slice(0, -1)] : [] }
  },
  write: (signature) => ({ [name]: `${signature}=` }),
}

/** Merge: webhooks of an organization. */
export const merge = defineService({
  name: 'merge',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64url', header: location }),
  kind: 'hook.event',
  subject: ['linked_account.id', 'data.id'],
  time: ['data.modified_at', 'data.sync_status.last_sync_start', 'data.completed_at'],
})

export const facts: ServiceFacts = {
  title: 'Merge',
  docs: 'https://docs.merge.dev/merge-unified/reading-data/webhooks/merge-webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://docs.merge.dev/merge-unified/reading-data/webhooks/merge-webhooks',
    'https://docs.merge.dev/basics/webhooks/merge-webhooks',
    'https://help.merge.dev/articles/5614281-merge-webhook-signatures',
    'https://help.merge.dev/en/articles/5720975-automatic-webhook-retries',
  ],
  setup: [
    'Open Advanced, Webhooks, and create a webhook with the address and the events.',
    'The secret is the signature key under Security on that page.',
  ],
  retries: 'two times after a 5xx and without an answer within 30 seconds; a 4xx is final',
  traps: [
    '`hook.id` is the id of the webhook, not of the event: Merge advises to tell events apart by the signature, and so does the hash of the body.',
    'The webhooks are shared by the whole organization.',
  ],
}
