import type { WebhookEvent } from '../ports/event.ts'

/**
 * Reads the value of a JSON message as an event: an event as the publishers write it, or a CloudEvent 1.0.
 *
 * A CloudEvent has no id of a delivery, so `source.deliveryId` is empty, and `source.receivedAt` is the time of the event.
 *
 * @throws TypeError for a value that is neither
 */
export function decodeEvent(value: unknown): WebhookEvent {
  const fields = Object(value) as Readonly<Record<string, unknown>>
  if ('specversion' in fields) return decodeCloudEvent(fields)
  const { id, name, subject, source } = fields
  const areTexts = [id, name, subject].every((text) => typeof text === 'string')
  if (!areTexts || typeof source !== 'object' || source === null) throw notAnEvent()
  return value as WebhookEvent
}

function decodeCloudEvent(fields: Readonly<Record<string, unknown>>): WebhookEvent {
  const { id, type, source, subject = '', time, data, dataref, traceparent, tracestate } = fields
  const areTexts = [id, type, source, subject].every((text) => typeof text === 'string')
  if (!areTexts || id === '' || type === '') throw notAnEvent()
  const [provider = '', endpoint] = (source as string).replace(/^\//, '').split('/').map(decodeURIComponent)
  const ts = typeof time === 'string' ? Date.parse(time) || 0 : 0
  return {
    id: id as string,
    name: type as string,
    subject: subject as string,
    ts,
    data,
    ...(typeof dataref === 'string' && { dataref }),
    source: {
      provider,
      ...(endpoint !== undefined && { endpoint }),
      deliveryId: '',
      receivedAt: ts,
      ...(String(fields['manual']) === 'true' && { manual: true }),
      ...(typeof fields['replayof'] === 'string' && { replayOf: fields['replayof'] }),
    },
    ...(typeof traceparent === 'string' && {
      trace: { traceparent, ...(typeof tracestate === 'string' && { tracestate }) },
    }),
  }
}

const notAnEvent = () => new TypeError('The message is not an event')
