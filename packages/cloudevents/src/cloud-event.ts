import type { InternalEvent } from '@sallyport/webhooks'
import { CloudEvent } from 'cloudevents'

/**
 * An event as a CloudEvent 1.0: `id` as it is, `source` `/<provider>`, `type` its name, `subject` where it has one,
 * `time`, JSON as `data`, `traceparent` and `tracestate` where it is part of a trace, and `manual` where it is a manual test,
 * whose data no schema was asked for.
 *
 * Control characters of the subject become U+FFFD: CloudEvents have none in texts.
 *
 * `source` and `id` together are what consumers deduplicate by.
 *
 * @throws TypeError when it has no such form, such as with an empty id
 *
 * @example
 * ```ts
 * import { toCloudEvent } from '@sallyport/cloudevents'
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
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/extensions/distributed-tracing.md
 */
export function toCloudEvent(event: InternalEvent): CloudEvent<unknown> {
  const { id, name, subject, ts, data, source, trace } = event
  // The constructor would make up an id of its own.
  if (id === '') throw new TypeError('An event without an id is no CloudEvent')
  return new CloudEvent<unknown>({
    id,
    source: `/${encodeURIComponent(source.provider)}`,
    type: name,
    ...(subject !== '' && { subject: allowed(subject) }),
    time: new Date(ts).toISOString(),
    datacontenttype: 'application/json',
    data,
    ...(source.manual && { manual: true }),
    ...(trace !== undefined && {
      traceparent: trace.traceparent,
      ...(trace.tracestate !== undefined && { tracestate: trace.tracestate }),
    }),
  })
}

/** A text as the type system of CloudEvents has them: well-formed, without controls and noncharacters. */
function allowed(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Noncharacter_Code_Point}]/gu, '\u{fffd}')
}
