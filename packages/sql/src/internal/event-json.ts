import type { InternalEvent, PublishResult } from '@sallyport/webhooks'
import { escapeText } from './text.ts'

/** An event as a row of a bus or queue table; `event` is JSON. */
export interface EventJson {
  readonly id: string
  readonly event: string
}

// A retry fails again. The message leaves out the reason, which may quote the data.
const unserializable: PublishResult = {
  ok: false,
  retryable: false,
  error: 'The event cannot be written as JSON',
}

/** Converts events to rows. An event that cannot be converted fails permanently, without affecting the others. */
export class EventRows {
  readonly rows: EventJson[] = []
  /** The events of the rows, in the same order. */
  readonly events: InternalEvent[] = []
  /** The approximate memory of the rows. */
  readonly bytes: number
  readonly #isValid: readonly boolean[]

  constructor(events: readonly InternalEvent[]) {
    this.#isValid = events.map((event) => {
      const row = toRow(event)
      if (row === undefined) return false
      this.rows.push(row)
      this.events.push(event)
      return true
    })
    this.bytes = this.rows.reduce((sum, { event }) => sum + event.length, 0)
  }

  /** Returns the result of each event from the result of each row. */
  results(isNew: (row: number) => boolean): PublishResult[] {
    let row = 0
    return this.#isValid.map((isValid) => (isValid ? { ok: true, duplicate: !isNew(row++) } : unserializable))
  }
}

function toRow(event: InternalEvent): EventJson | undefined {
  try {
    return { id: escapeText(event.id), event: JSON.stringify(event) }
  } catch {
    return undefined
  }
}

/** Parses an event that {@link EventRows} wrote; undefined when it is unreadable. */
export function readEvent(json: string): InternalEvent | undefined {
  try {
    const event = JSON.parse(json) as Partial<InternalEvent> | null
    return typeof event?.id === 'string' && typeof event.name === 'string'
      ? (event as InternalEvent)
      : undefined
  } catch {
    return undefined
  }
}

/** Removes the data from an event in JSON; an unreadable event becomes `null`. */
export function withoutData(json: string): string {
  const event = readEvent(json)
  return event === undefined ? 'null' : JSON.stringify({ ...event, data: undefined })
}
