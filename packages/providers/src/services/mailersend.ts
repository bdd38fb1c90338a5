import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** MailerSend: webhooks of a domain. */
export const mailersend = defineService({
  name: 'mailersend',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'signature' }),
  kind: 'type',
  subject: 'data.email.id',
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'MailerSend',
  docs: 'https://developers.mailersend.com/api/v1/webhooks.html',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developers.mailersend.com/api/v1/webhooks.html',
    'https://www.mailersend.com/help/webhooks',
  ],
  setup: [
    'Open Email, Domains, the domain, Webhooks, and add a webhook with the address.',
    'The secret is the signing secret of the webhook.',
  ],
  retries: 'a few times, at first after ten seconds; the timeout is three seconds',
}
