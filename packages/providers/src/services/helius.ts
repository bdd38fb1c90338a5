import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Helius: webhooks of Solana transactions. */
export const helius = defineService({
  name: 'helius',
  signature: sharedToken({ header: 'authorization' }),
  events: '*',
  kind: (event) => {
    const { type } = Object(event) as Readonly<Record<string, unknown>>
    return type ?? 'raw'
  },
  subject: ['feePayer', 'signature'],
  time: (event) => {
    const { timestamp, blockTime } = Object(event) as Readonly<Record<string, unknown>>
    return timestamp ?? blockTime
  },
})

export const facts: ServiceFacts = {
  title: 'Helius',
  docs: 'https://www.helius.dev/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://helius.dev/docs/faqs/webhooks'],
  setup: [
    'Create a webhook with the address and an authentication header in the dashboard or with the API.',
    'The secret is the value of the authentication header.',
  ],
  retries: 'unknown',
  traps: [
    'The header says nothing about the body: read transactions from the chain.',
    'Raw transactions have no type: their kind is `raw`.',
  ],
}
