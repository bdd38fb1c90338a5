import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'
import { oktaHandshake } from '@sallyport/webhooks/handshakes'

/** Okta: event hooks. */
export const okta = defineService({
  name: 'okta',
  signature: sharedToken({ header: 'authorization' }),
  handshake: oktaHandshake(),
  events: 'data.events.*',
  kind: 'eventType',
  id: 'uuid',
  subject: ['target.0.id'],
  time: 'published',
})

export const facts: ServiceFacts = {
  title: 'Okta',
  docs: 'https://developer.okta.com/docs/concepts/event-hooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/okta/okta-developer-docs/blob/master/packages/@okta/vuepress-site/docs/concepts/event-hooks/index.md',
    'https://elastic.co/guide/en/beats/filebeat/8.3/exported-fields-okta.html',
  ],
  identity: 'https://elastic.co/guide/en/beats/filebeat/8.3/exported-fields-okta.html',
  setup: [
    'Open Workflow, Event Hooks, and create an event hook with the address.',
    'Enter `authorization` as the authentication field and a random text as the secret.',
    'Select the events, and verify the hook.',
  ],
  retries: 'once, after a timeout of three seconds or a status of 5xx; the order is not preserved',
  traps: ['The token says nothing about the body.', 'A delivery can have several events.'],
}
