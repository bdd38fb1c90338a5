import type { WebhookEvent } from '../ports/event.ts'
import type { Publisher, PublishResult } from '../ports/ports.ts'
import { compilePaths } from './paths.ts'
import { redactEvent } from './redact-event.ts'
import { createValueRedactor } from './redact-value.ts'

/** Copies an event without some of the values of its data. */
export type EventRedactor = (event: WebhookEvent) => Promise<WebhookEvent>

/** @throws TypeError for a malformed path, a path of a header, and more than 100 paths */
export function createEventRedactor(paths: readonly string[]): EventRedactor {
  const compiled = compilePaths(paths)
  if (compiled.headers.size > 0) throw new TypeError('redact names a header, which an event does not have')
  return (event) => {
    const values = createValueRedactor(compiled)
    return redactEvent({ ...event, data: values.redact(event.data) }, values)
  }
}

type Publish<Rest extends readonly unknown[]> = (
  events: readonly WebhookEvent[],
  ...rest: Rest
) => Promise<readonly PublishResult[]>

const refused: PublishResult = {
  ...{ ok: false, retryable: false },
  error: 'The event is too large, and a reference would lead to the values of redact',
}

/** Wraps `publish` so that it gets redacted events. Events with a reference to their data are refused. */
export function publishRedacted<Rest extends readonly unknown[]>(
  publish: Publish<Rest>,
  redactors: readonly EventRedactor[],
): Publish<Rest> {
  const redact = async (event: WebhookEvent) => {
    let result = event
    for (const redactor of redactors) result = await redactor(result)
    return result
  }
  return async (events, ...rest) => {
    const whole = events.filter(({ dataref }) => dataref === undefined)
    const copies = await Promise.all(whole.map(redact))
    const results = (copies.length > 0 ? await publish(copies, ...rest) : []).values()
    return events.map(({ dataref }) =>
      dataref === undefined ? (results.next().value as PublishResult) : refused,
    )
  }
}

/**
 * Wraps a publisher so that it gets events without the values at paths of their data, such as `data.object.email` or `**.email`.
 * The inbox keeps the whole events.
 *
 * A removed value becomes `[redacted]`. An id or a subject with a removed value becomes a hash. An event with a `dataref` is
 * refused.
 *
 * @throws TypeError for a malformed path, a path of a header, and more than 100 paths
 *
 * @example
 * ```ts
 * import { createMemoryBus, redactPublisher } from '@sallyport/webhooks'
 *
 * const publisher = redactPublisher(createMemoryBus(), ['**.email'])
 * ```
 */
export function redactPublisher(publisher: Publisher, paths: readonly string[]): Publisher {
  return {
    publish: publishRedacted(
      (events, signal: AbortSignal) => publisher.publish(events, signal),
      [createEventRedactor(paths)],
    ),
  }
}
