import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'
import { jwt } from '@sallyport/webhooks/jwt'

/** monday.com: webhooks of boards that an app creates. */
export const monday = defineService({
  name: 'monday',
  signature: jwt({
    header: 'authorization',
    prefix: 'Bearer ',
    claim: false,
    algorithms: ['HS256'],
    requiredClaims: ['exp'],
  }),
  kind: 'event.type',
  subject: ['event.boardId', 'event.pulseId'],
  time: 'event.triggerTime',
  handshake: echoHandshake({ from: { json: 'challenge' }, as: { json: 'challenge' } }),
})

export const facts: ServiceFacts = {
  title: 'monday.com',
  docs: 'https://developer.monday.com/apps/docs/integration-authorization',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.monday.com/apps/docs/integration-authorization',
    'https://developer.monday.com/apps/docs/authorization-header',
    'https://monday-client.readthedocs.io/en/latest/webhooks.html',
    'https://prismatic.io/docs/example-payloads/monday/triggers/webhook.json',
  ],
  setup: [
    'Create a webhook with the address with `create_webhook` and a token of the app. The gateway answers the challenge.',
    'The secret is the signing secret of the app, or the client secret: it depends on the source of the webhook.',
  ],
  retries: 'once a minute for 30 minutes',
  traps: [
    'The token authenticates monday.com, but not the body: a person who reads one delivery can send any other one for 5 minutes.',
    'A webhook that a personal API token or a user of a board creates has no token, and its deliveries are refused.',
  ],
}
