import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'

/** Jira Cloud: webhooks that an OAuth 2.0 app registers. */
export const jiraApp = defineService({
  name: 'jira-app',
  signature: jwt({
    header: 'authorization',
    prefix: 'Bearer ',
    claim: false,
    algorithms: ['HS256'],
    requiredClaims: ['exp'],
  }),
  kind: 'webhookEvent',
  subject: ['issue.key', 'issue.id'],
  time: 'timestamp',
  bodyLimit: 25 * 1024 * 1024,
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Jira Cloud apps',
  docs: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developer.atlassian.com/cloud/jira/platform/webhooks/',
    'https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-webhooks',
    'https://nango.dev/docs/api-integrations/jira/webhooks',
    'https://community.developer.atlassian.com/t/30554',
  ],
  setup: [
    'Register a webhook with the address with `POST /rest/api/3/webhook` and an access token of the app, or let a subscription do it. Jira accepts one address for an app.',
    'The secret is the client secret of the app.',
  ],
  retries: 'up to five times, each after 5 to 15 minutes',
  traps: [
    'The token authenticates Jira, but not the body: a person who reads one delivery can send any other one until the token expires.',
    'Atlassian documents no claims of the token. This provider refuses a token without `exp`.',
    'A webhook expires 30 days after its creation or its last refresh.',
  ],
}
