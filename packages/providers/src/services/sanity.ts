import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Sanity: GROQ webhooks of projects. */
export const sanity = defineService({
  name: 'sanity',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64url',
    header: structuredHeader('sanity-webhook-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime({ unit: 'ms' }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: [{ header: 'sanity-operation' }, '_type'],
  names: ['create', 'update', 'delete'],
  // A projection can leave out the revision and the time.
  distinct: (event) => isUndated(event),
  deliveryId: { header: 'idempotency-key' },
  subject: '_id',
  time: '_updatedAt',
})

function isUndated(event: unknown): boolean {
  const { _rev: revision, _updatedAt: time } = Object(event) as Readonly<Record<string, unknown>>
  return revision === undefined && time === undefined
}

export const facts: ServiceFacts = {
  title: 'Sanity',
  docs: 'https://www.sanity.io/docs/content-lake/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://www.sanity.io/docs/content-lake/webhooks',
    'https://github.com/sanity-io/webhook-toolkit/blob/main/src/signature.ts',
  ],
  setup: [
    'Open the project in the console, API, Webhooks, and create a webhook with the address and the method POST.',
    'Enter a random text as the secret, and leave the projection empty, or let it have `_id`, `_type`, `_rev` and `_updatedAt`.',
  ],
  retries: 'two times, 30 seconds apart, after a status of 5xx or 429',
  traps: [
    'The header with the operation is not signed, and the body does not have the operation. The type of the document is signed.',
    'A captured delivery can become another operation of its document within the tolerance: set `only` of an endpoint, such as `update.article`, and read the document with the API before you act on it.',
    'Without `_rev` and `_updatedAt` in the projection, two changes can have equal bodies: each delivery with another `idempotency-key` is an event. The header is not signed: within the tolerance, a captured delivery under an invented id is a new event.',
    'The signature is base64url without padding, and the time is in milliseconds.',
  ],
}
