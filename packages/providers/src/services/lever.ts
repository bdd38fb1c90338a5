import {
  defineService,
  hmac,
  jsonField,
  jsonSignature,
  signedTime,
  type ServiceFacts,
} from '@sallyport/webhooks'

/** Lever: webhooks of an account. */
export const lever = defineService({
  name: 'lever',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: jsonSignature('signature'),
    timestamp: signedTime({
      fromBody: (body) => jsonField(body, 'triggeredAt'),
      unit: 'ms',
      toleranceSeconds: 3600,
    }),
    content: ({ body }) => [jsonField(body, 'token'), jsonField(body, 'triggeredAt')],
    covers: ['token', 'triggeredAt'],
  }),
  kind: 'event',
  id: ['token', 'triggeredAt'],
  subject: (event) => readSubject(event),
  time: 'triggeredAt',
  fresh: ['triggeredAt'],
})

type Ids = Partial<Readonly<Record<'opportunityId' | 'interviewId' | 'contactId' | 'candidateId', unknown>>>

const readSubject = (event: unknown): unknown => {
  const ids = Object((Object(event) as { readonly data?: unknown }).data) as Ids
  return ids.opportunityId ?? ids.interviewId ?? ids.contactId ?? ids.candidateId
}

export const facts: ServiceFacts = {
  title: 'Lever',
  docs: 'https://hire.lever.co/developer/documentation#webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://mcp.waymark.network/r/da3b2535-43b9-4cfe-9d46-d7f4fb747875',
    'https://help.lever.co/hc/en-us/articles/20087284427677-Configuring-webhooks',
  ],
  identity: 'https://hire.lever.co/developer/documentation#webhooks',
  setup: [
    'Open Settings, Integrations and API, Webhooks, and add the address for each event.',
    'The secret is the signature token of the webhook.',
  ],
  retries: 'unknown',
  covers: 'the token and the time, not the event',
  traps: [
    'A person who reads one delivery can send other events with its token for an hour: read the opportunity again with the API.',
  ],
}
