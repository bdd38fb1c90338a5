import { base64Secret, defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Microsoft Teams: outgoing webhooks. */
export const microsoftTeams = defineService({
  name: 'microsoft-teams',
  createsSecret: true,
  resends: false,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'authorization',
    prefix: 'HMAC ',
    key: base64Secret(),
  }),
  kind: 'type',
  subject: 'conversation.id',
  time: 'timestamp',
  answer: { status: 200, contentType: 'application/json', body: '{"type":"message","text":""}' },
})

export const facts: ServiceFacts = {
  title: 'Microsoft Teams',
  docs: 'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-outgoing-webhook',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-outgoing-webhook',
  ],
  setup: [
    'Open Manage team, Apps, Create an outgoing webhook, and enter the address.',
    'The secret is the security token that Teams shows once, in base64.',
  ],
  retries: 'never',
  traps: ['Teams waits 5 seconds for the response.'],
}
