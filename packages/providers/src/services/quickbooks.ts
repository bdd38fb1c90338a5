import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Intuit QuickBooks Online: webhooks of an app, as CloudEvents and in the earlier form. */
export const quickbooks = defineService({
  name: 'quickbooks',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'intuit-signature' }),
  events: ['*', 'eventNotifications.*.dataChangeEvent.entities.*'],
  kind: (event) => {
    const { type, name, operation } = Object(event) as Readonly<Record<string, string | undefined>>
    return type ?? (name && operation && `${name}.${operation}`)
  },
  id: ['source', 'id'],
  subject: ['../../realmId', 'intuitaccountid', 'intuitentityid', 'id'],
  time: ['time', 'lastUpdated'],
})

export const facts: ServiceFacts = {
  title: 'QuickBooks Online',
  docs: 'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks',
    'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/best-practices',
    'https://github.com/cloudevents/spec/blob/main/cloudevents/spec.md',
  ],
  identity: 'https://github.com/cloudevents/spec/blob/main/cloudevents/spec.md',
  setup: [
    'Open the Intuit Developer portal, the app, Webhooks, and enter the address for production or development.',
    'The secret is the verifier token that the page shows.',
  ],
  retries: 'after 10, 20 and 30 seconds, 5 and 20 minutes, 2, 4 and 6 hours, then every 6 hours',
  traps: [
    'Intuit changes the payload to a list of CloudEvents in 2026: the provider reads both forms.',
    'An entity of the earlier form has no id of the event: the id is the hash of the delivery and the place of the entity in it.',
  ],
}
