import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Intuit QuickBooks Online: webhooks of an app, as CloudEvents and in the earlier form. */
export const quickbooks = defineService({
  name: 'quickbooks',
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'intuit-signature' }),
  events: ['*', 'eventNotifications.*.dataChangeEvent.entities.*'],
  kind: (event) => {
    const { type, name, operation } = Object(event) as Readonly<Record<string, string | undefined>>
    return type ?? (name && operation && `${name}.${operation}`)
  },
  id: ['id', (event) => readTime(event)],
  subject: ['../../realmId', 'intuitaccountid', 'intuitentityid', 'id'],
  time: (event) => readTime(event),
})

function readTime(event: unknown): string | undefined {
  const { time, lastUpdated } = Object(event) as Readonly<Record<string, string | undefined>>
  return time ?? lastUpdated
}

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'QuickBooks Online',
  docs: 'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks',
  confidence: 'primary',
  setup: [
    'Open the Intuit Developer portal, the app, Webhooks, and enter the address for production or development.',
    'The secret is the verifier token that the page shows.',
  ],
  traps: ['Intuit changes the payload to a list of CloudEvents in 2026: the provider reads both forms.'],
}
