import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { adyenItems } from '../adyen-items.ts'

/** Adyen: standard webhooks of payments. */
export const adyen = defineService({
  name: 'adyen',
  createsSecret: true,
  signature: adyenItems,
  events: 'notificationItems.*.NotificationRequestItem',
  kind: ['eventCode', (event) => readOutcome(event)],
  subject: ['merchantAccountCode', 'pspReference'],
  time: 'eventDate',
  answer: { status: 200, contentType: 'text/plain', body: '[accepted]' },
})

function readOutcome(event: unknown): string | undefined {
  const { success } = Object(event) as Readonly<Record<string, unknown>>
  return success === 'false' ? 'failed' : undefined
}

export const facts: ServiceFacts = {
  title: 'Adyen',
  docs: 'https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures/',
    'https://docs.adyen.com/development-resources/webhooks/handle-webhook-events',
    'https://docs.adyen.com/development-resources/webhooks/troubleshoot',
  ],
  setup: [
    'Open Developers, Webhooks in the Customer Area, and create a standard webhook with the address and the method JSON.',
    'Generate an HMAC key there. The secret is this key, in hexadecimal.',
    'For platforms and banking, use `adyen-platform`.',
  ],
  retries: 'three times at once, then with delays of 2 minutes to 8 hours for up to 30 days',
  covers: 'the references, the account, the amount, the event code and `success` of each item',
  traps: [
    '`reason`, `paymentMethod`, `eventDate` and `additionalData` are not signed.',
    '`success` is text: the kind is `AUTHORISATION` or `AUTHORISATION.failed`.',
    'A second notification with the same `pspReference` and event code is a newer state of the payment, and an event of its own here.',
    'A copy of a delivery with other unsigned members is a new event, too: count a payment once by its `pspReference` and event code.',
  ],
}
