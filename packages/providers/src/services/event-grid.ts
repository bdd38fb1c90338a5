import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'

/** Azure Event Grid: subscriptions with the Event Grid schema. */
export const eventGrid = defineService({
  name: 'event-grid',
  signature: sharedToken({ header: 'authorization' }),
  handshake: echoHandshake({
    from: { json: '0.data.validationCode' },
    as: { json: 'validationResponse' },
    when: { headers: { 'aeg-event-type': 'SubscriptionValidation' } },
  }),
  events: '*',
  kind: 'eventType',
  id: ['topic', 'id'],
  subject: 'subject',
  time: 'eventTime',
})

export const facts: ServiceFacts = {
  title: 'Azure Event Grid',
  docs: 'https://learn.microsoft.com/en-us/azure/event-grid/end-point-validation-event-grid-events-schema',
  checked: '2026-11',
  sources: [
    'https://learn.microsoft.com/Azure/event-grid/event-schema',
    'https://learn.microsoft.com/en-us/azure/event-grid/end-point-validation-event-grid-events-schema',
  ],
  identity: 'https://learn.microsoft.com/Azure/event-grid/event-schema',
  confidence: 'primary',
  setup: [
    'Create an event subscription of the type Web Hook with the address and the schema "Event Grid Schema".',
    'Open Delivery Properties, and add the static header `Authorization` with a random text as the secret. Mark it as a secret.',
  ],
  retries: 'up to 30 times in 24 hours; a status of 400, 401, 403 or 413 is final',
  traps: [
    'The token says nothing about the body.',
    'A delivery can have several events.',
    'For the CloudEvents schema, use `cloudevents`.',
  ],
}
