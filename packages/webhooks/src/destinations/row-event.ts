import { readRow } from '@sallyport/internal/destination-row'
import type { WebhookEvent } from '../ports/event.ts'

/** An event of a row, with the ids that other systems know. */
interface RowEvent {
  /** Undefined for the bus and the handlers. */
  readonly destination?: string
  readonly event: WebhookEvent
}

/** Separates the destination from the ids of an event of a row. */
export function toRowEvent(event: WebhookEvent): RowEvent {
  const { destination, id } = readRow(event.id)
  if (destination === undefined) return { event }
  const { source } = event
  const replayOf = source.replayOf === undefined ? undefined : readRow(source.replayOf).id
  return {
    destination,
    event: { ...event, id, source: replayOf === undefined ? source : { ...source, replayOf } },
  }
}
