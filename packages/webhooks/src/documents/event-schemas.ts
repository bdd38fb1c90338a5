const time = { type: 'integer', description: 'Milliseconds since the epoch.' }
const dataref = {
  type: 'string',
  format: 'uri-reference',
  description:
    'The address of the data of an event that is too large for the bus. The event then has no data.',
}
const traceparent = { type: 'string', description: 'The W3C trace context of the delivery.' }
const tracestate = { type: 'string' }

/** The JSON Schema (draft 7) of an event, as `WebhookEvent` declares it. */
export const eventSchema = {
  type: 'object',
  description: 'An event. The schema of its data does not apply to a manual test.',
  required: ['id', 'name', 'subject', 'ts', 'source'],
  properties: {
    id: { type: 'string', description: 'The idempotency key: the same for every redelivery.' },
    name: { type: 'string', description: '`<provider>/<kind>`.' },
    subject: { type: 'string', description: 'The entity of the event, by which events are ordered.' },
    ts: { ...time, description: 'When the event happened, in milliseconds since the epoch.' },
    data: true,
    dataref,
    source: {
      type: 'object',
      required: ['provider', 'deliveryId', 'receivedAt'],
      properties: {
        provider: { type: 'string' },
        endpoint: { type: 'string', description: 'The id of the endpoint that received the delivery.' },
        deliveryId: { type: 'string' },
        receivedAt: time,
        manual: { type: 'boolean', const: true, description: 'The delivery was a manual test.' },
      },
    },
    trace: { type: 'object', required: ['traceparent'], properties: { traceparent, tracestate } },
  },
}

/**
 * The JSON Schema (draft 7) of an event as a CloudEvent.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/cloudevents.json
 */
export const cloudEventSchema = {
  type: 'object',
  description: 'An event as a CloudEvent 1.0. The schema of its data does not apply to a manual test.',
  required: ['specversion', 'id', 'source', 'type', 'time'],
  properties: {
    specversion: { type: 'string', const: '1.0' },
    id: { type: 'string', minLength: 1, description: 'The idempotency key: the same for every redelivery.' },
    source: {
      type: 'string',
      format: 'uri-reference',
      description: '`/<provider>`, or `/<provider>/<endpoint>`.',
    },
    type: { type: 'string', description: '`<provider>/<kind>`.' },
    subject: { type: 'string', minLength: 1, description: 'The entity of the event, unless it is empty.' },
    time: { type: 'string', format: 'date-time', description: 'When the event happened.' },
    datacontenttype: { type: 'string', const: 'application/json' },
    data: true,
    dataref,
    manual: { type: 'boolean', const: true, description: 'The delivery was a manual test.' },
    traceparent,
    tracestate,
  },
}
