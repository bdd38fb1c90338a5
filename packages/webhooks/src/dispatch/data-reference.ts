import { describeFailure } from '@sallyport/internal/describe-failure'
import type { WebhookEvent } from '../ports/event.ts'
import { noAnswer, toFailure, type Answers, type AttemptResult } from './outcome.ts'

/** How to publish an event that is too large for the bus or for the shared queue. */
export interface DataReferenceOptions {
  /**
   * Returns the URI reference from which consumers load the data of an event. An event that is too large is published with
   * this `dataref` and without data; `fetchData` of `@sallyport/webhooks/http` loads the data.
   *
   * @default none: an event that is too large becomes a dead letter
   */
  readonly dataref?: (event: WebhookEvent) => string
}

type Publish = (events: readonly WebhookEvent[], signal: AbortSignal) => Promise<Answers>

/** Wraps `publish` so that an event that is too large is published again at once, with a reference instead of its data. */
export function publishWithReferences(publish: Publish, dataref: DataReferenceOptions['dataref']): Publish {
  if (dataref === undefined) return publish
  return async (events, signal) => {
    const answers = await publish(events, signal)
    const replaced = new Map<number, AttemptResult>()
    const references: WebhookEvent[] = []
    const indices: number[] = []
    for (const [index, event] of events.entries()) {
      if (!isTooLarge(answers, index) || event.dataref !== undefined) continue
      try {
        references.push({ ...event, data: undefined, dataref: dataref(event) })
        indices.push(index)
      } catch (error) {
        const reason = `The function dataref failed: ${describeFailure(error)}`
        replaced.set(index, { ok: false, retryable: true, error: reason })
      }
    }
    if (references.length > 0) {
      // A rejection must not fail the events of the first call.
      const published = await publish(references, signal).catch((error: unknown) =>
        references.map(() => toFailure(error)),
      )
      for (const [position, index] of indices.entries())
        replaced.set(index, published?.[position] ?? noAnswer)
    }
    return replaced.size === 0 ? answers : events.map((_, index) => replaced.get(index) ?? answers?.[index])
  }
}

function isTooLarge(answers: Answers, index: number): boolean {
  const answer = answers?.[index]
  return answer?.ok === false && answer.tooLarge === true
}
