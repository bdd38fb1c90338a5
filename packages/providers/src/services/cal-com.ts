import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Cal.com: webhooks of a user, team or event type. */
export const calCom = defineService({
  name: 'cal-com',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-cal-signature-256' }),
  kind: 'triggerEvent',
  subject: 'payload.uid',
  time: 'createdAt',
})

export const facts: ServiceFacts = {
  title: 'Cal.com',
  docs: 'https://cal.com/docs/core-features/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/calcom/cal.com/blob/main/packages/features/webhooks/lib/sendPayload.ts',
    'https://cal.com/docs/developing/guides/automation/webhooks',
  ],
  setup: [
    'Open Settings, Developer, Webhooks, and create a webhook with the address.',
    'Choose a secret there: without one, Cal.com does not sign, and such deliveries are refused.',
  ],
  retries: 'unknown',
  traps: [
    'A custom payload template changes the body: keep `triggerEvent` and `createdAt` in it, and write it as JSON.',
  ],
}
