import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Resend: webhooks of a team. */
export const resend = defineService({
  name: 'resend',
  createsSecret: true,
  signature: standardWebhooks({ prefix: 'svix' }),
  kind: 'type',
  id: { header: 'svix-id' },
  subject: 'data.email_id',
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Resend',
  docs: 'https://resend.com/docs/webhooks/introduction',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://resend.com/docs/webhooks/introduction',
    'https://docs.svix.com/receiving/verifying-payloads/how-manual',
  ],
  identity: 'https://docs.svix.com/receiving/verifying-payloads/how-manual',
  setup: [
    'Open Webhooks and add a webhook with the address.',
    'The secret is the signing secret of the webhook, with its prefix `whsec_`.',
  ],
  retries: 'seven times within about 28 hours',
}
