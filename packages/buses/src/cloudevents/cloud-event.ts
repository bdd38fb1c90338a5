import type { WebhookEvent } from '@sallyport/webhooks'
import { CloudEvent } from 'cloudevents'

/**
 * Converts an event into a CloudEvent 1.0.
 *
 * - `id`: the id of the event
 * - `source`: `/<provider>`; consumers deduplicate by `source` and `id`
 * - `type`: the name of the event
 * - `subject`: the subject, unless it is empty; control characters and noncharacters become U+FFFD
 * - `time`: the time of the event
 * - `data`: the data, as JSON
 * - `dataref`: the reference of an event without data, because the data is too large
 * - `traceparent` and `tracestate`: the trace, if the event has one
 * - `manual`: `true` for a manual test, whose data is not validated against a schema
 * - `replayof`: the id of the original event, if a replay gave the event a new id
 *
 * @throws TypeError if the event is not a valid CloudEvent, for example because its id is empty
 *
 * @example
 * ```ts
 * import { toCloudEvent } from '@sallyport/buses/cloudevents'
 *
 * const event = toCloudEvent({
 *   id: 'doorbell:bell.rung:1',
 *   name: 'doorbell/bell.rung',
 *   subject: 'front',
 *   ts: Date.UTC(2026, 0),
 *   data: { door: 'front' },
 *   source: { provider: 'doorbell', deliveryId: '0190a5d0-ac96-774b-bcce-b302099a8057', receivedAt: Date.UTC(2026, 0) },
 * })
 * process.stdout.write(event.toString())
 * ```
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/extensions/dataref.md
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/extensions/distributed-tracing.md
 */
export function toCloudEvent(event: WebhookEvent): CloudEvent<unknown> {
  const { id, name, subject, ts, data, dataref, source, trace } = event
  // The constructor replaces an empty id with a random one.
  if (id === '') throw new TypeError('A CloudEvent needs a non-empty id')
  return new CloudEvent<unknown>({
    id,
    source: `/${[source.provider, source.endpoint ?? []].flat().map(encodeURIComponent).join('/')}`,
    type: name,
    ...(subject !== '' && { subject: replaceControls(subject) }),
    time: new Date(ts).toISOString(),
    ...(dataref === undefined ? { datacontenttype: 'application/json', data } : { dataref }),
    ...(source.manual && { manual: true }),
    ...(source.replayOf !== undefined && { replayof: replaceControls(source.replayOf) }),
    ...(trace !== undefined && {
      traceparent: trace.traceparent,
      ...(trace.tracestate !== undefined && { tracestate: trace.tracestate }),
    }),
  })
}

/** Replaces the characters that the CloudEvents type system excludes from strings. */
function replaceControls(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Noncharacter_Code_Point}]/gu, '\u{fffd}')
}
