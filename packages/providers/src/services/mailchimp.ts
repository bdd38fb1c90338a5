import { defineService, parseForm, queryToken, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

/** Mailchimp (Marketing): webhooks of an audience. */
export const mailchimp = defineService({
  name: 'mailchimp',
  signature: queryToken('token'),
  parse: parseForm,
  kind: 'type',
  subject: ['data[list_id]', 'data[id]'],
  time: 'fired_at',
  handshake: fixedHandshake({ methods: ['GET'] }),
})

export const facts: ServiceFacts = {
  title: 'Mailchimp Marketing',
  docs: 'https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/',
    'https://mailchimp.com/developer/release-notes/returning-410-from-audience-webhook-will-disable-it/',
  ],
  setup: [
    'Open Audience, Settings, Webhooks, and create a webhook with the address and `?token=` with a random text.',
    'The secret is this random text.',
  ],
  retries:
    'three times within 75 minutes, also without an answer within ten seconds; a 410 disables the webhook',
  traps: [
    'Mailchimp signs nothing: the token in the address proves the sender, and says nothing about the body. Read the member with the API before you act on it.',
    'The body is a form: names such as `data[merges][EMAIL]` remain as they are.',
    'Transactional messages (Mandrill) have webhooks of their own: use `mandrill`.',
  ],
}
