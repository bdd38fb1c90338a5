import {
  defineService,
  sharedToken,
  type Service,
  type ServiceDeclaration,
  type ServiceFacts,
  type ValueSource,
} from '@sallyport/webhooks'
import { cloudEventsHandshake } from '@sallyport/webhooks/handshakes'

/** Reads an attribute of an event in structured mode, or the header of binary mode. */
const attribute =
  (name: string): ValueSource =>
  (event, { headers }) =>
    headers.get(`ce-${name}`) ?? (Object(event) as Readonly<Record<string, unknown>>)[name]

const define = (events?: ServiceDeclaration['events']) =>
  defineService({
    name: 'cloudevents',
    signature: sharedToken({ header: 'authorization', prefix: 'Bearer ' }),
    handshake: cloudEventsHandshake({ origins: ['eventgrid.azure.net'] }),
    ...(events !== undefined && { events }),
    kind: attribute('type'),
    id: [attribute('source'), attribute('id')],
    subject: [attribute('source'), attribute('subject')],
    time: attribute('time'),
  })

const single = define()
const batch = define('*')

/** CloudEvents 1.0 over HTTP: structured mode, binary mode with JSON, and batches. */
export const cloudevents: Service<'cloudevents'> = {
  ...single,
  normalize(delivery) {
    const type = delivery.headers.get('content-type') ?? ''
    return (/^application\/cloudevents-batch\+json\b/i.test(type) ? batch : single).normalize(delivery)
  },
}

export const facts: ServiceFacts = {
  title: 'CloudEvents',
  docs: 'https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md',
  checked: '2026-11',
  sources: [
    'https://github.com/cloudevents/spec/blob/main/cloudevents/spec.md',
    'https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md',
  ],
  identity: 'https://github.com/cloudevents/spec/blob/main/cloudevents/spec.md',
  confidence: 'primary',
  setup: [
    'Enter the address in the sender, with the header `Authorization: Bearer <secret>`. The secret is a random text.',
    'For Azure Event Grid, select the schema "Cloud Event Schema v1.0", and add `Authorization` as a static header in Delivery Properties. The gateway answers the validation of `eventgrid.azure.net`.',
  ],
  retries: 'unknown',
  traps: [
    'The token says nothing about the body.',
    'In binary mode, the attributes are headers, and the data of the event are the body.',
    'For another sender with abuse protection, replace `handshake` with `cloudEventsHandshake({ origins })`.',
  ],
}
