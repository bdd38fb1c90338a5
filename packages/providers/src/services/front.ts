import { compactJson, defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Front: webhooks of rules. */
export const front = defineService({
  name: 'front',
  createsSecret: true,
  resends: false,
  signature: hmac({ algorithm: 'sha1', encoding: 'base64', header: 'x-front-signature', forms: compactJson }),
  kind: 'type',
  subject: 'conversation.id',
  time: 'emitted_at',
})

export const facts: ServiceFacts = {
  title: 'Front (rules)',
  docs: 'https://dev.frontapp.com/docs/rule-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://dev.frontapp.com/docs/rule-webhooks'],
  setup: [
    'Open Settings, Rules, and add the action "Send to a webhook" with the address.',
    'The secret is the API secret of the company, under Settings, Developers.',
  ],
  retries: 'none; the timeout is five seconds',
  traps: ['Front signs its own compact JSON, which can differ from the bytes that it sends.'],
}
