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
  id: 'token',
  subject: ['data.opportunityId', 'data.candidateId', 'data.contactId', 'data.interviewId'],
  time: 'triggeredAt',
  fresh: ['triggeredAt'],
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Lever',
  docs: 'https://hire.lever.co/developer/documentation#webhooks',
  confidence: 'secondary',
  setup: [
    'Open Settings, Integrations and API, Webhooks, and add the address for each event.',
    'The secret is the signature token of the webhook.',
  ],
  covers: 'the token and the time, not the event',
  traps: [
    'A person who reads one delivery can send other events with its token for an hour: read the opportunity again with the API.',
  ],
}
