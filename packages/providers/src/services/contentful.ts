import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'
import { canonicalRequest } from '../contentful-request.ts'

/** Contentful: webhooks of spaces and events of apps. */
export const contentful = defineService({
  name: 'contentful',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-contentful-signature',
    timestamp: signedTime({ header: 'x-contentful-timestamp', unit: 'ms' }),
    signedHeaders: ['x-contentful-signed-headers', 'x-contentful-topic'],
    content: canonicalRequest,
  }),
  kind: { header: 'x-contentful-topic' },
  subject: ['sys.space.sys.id', 'sys.id'],
  time: 'sys.updatedAt',
})

export const facts: ServiceFacts = {
  title: 'Contentful',
  docs: 'https://www.contentful.com/developers/docs/webhooks/request-verification/',
  checked: '2026-11',
  sources: [
    'https://www.contentful.com/developers/docs/webhooks/request-verification/',
    'https://github.com/contentful/node-apps-toolkit/blob/main/src/requests/verify-request.ts',
    'https://www.contentful.com/developers/changelog/idempotency-key-headers-for-webhook-requests/',
  ],
  confidence: 'primary',
  setup: [
    'Open Settings, Webhooks, and add a webhook with the address.',
    'Open Settings, Webhooks, Settings, and enable request verification: the secret is shown once, and is the same for all webhooks of the space.',
    'The signature covers the address: set the public address of the gateway.',
  ],
  retries: 'two times, 30 seconds apart, after a status of 429 or 5xx',
  traps: [
    'The signature covers the headers that `x-contentful-signed-headers` lists. A delivery whose list lacks the time or the topic is refused.',
    'A signed value with `;name:` is refused, because the border between two signed headers has this form: do not use it in the name or in a header of a webhook.',
    'Contentful signs the escaped query of the address.',
  ],
}
