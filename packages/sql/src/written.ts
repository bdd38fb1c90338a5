import type { InternalEvent, PublishResult } from '@sallyport/webhooks'
import { escapeText } from './text.ts'

/** An event as it is written to a table of its own; the event is JSON. */
export interface EventJson {
  readonly id: string
  readonly event: string
}

// What cannot be written today cannot be written tomorrow. The reason is not told: it may quote the data.
const unwritable: PublishResult = {
  ok: false,
  retryable: false,
  error: 'The event cannot be written as JSON',
}

/** Events as rows. One that has none fails alone, and for good. */
export class WrittenEvents {
  readonly rows: EventJson[] = []
  /** Those that the rows are of, in their order. */
  readonly events: InternalEvent[] = []
  /** About how much the rows take in memory. */
  readonly bytes: number
  readonly #isWritten: readonly boolean[]

  constructor(events: readonly InternalEvent[]) {
    this.#isWritten = events.map((event) => {
      const row = toRow(event)
      if (row === undefined) return false
      this.rows.push(row)
      this.events.push(event)
      return true
    })
    this.bytes = this.rows.reduce((sum, { event }) => sum + event.length, 0)
  }

  /** What became of each event, from what became of each row. */
  results(isNew: (row: number) => boolean): PublishResult[] {
    let row = 0
    return this.#isWritten.map((isWritten) =>
      isWritten ? { ok: true, duplicate: !isNew(row++) } : unwritable,
    )
  }
}

function toRow(event: InternalEvent): EventJson | undefined {
  try {
    return { id: escapeText(event.id), event: JSON.stringify(event) }
  } catch {
    return undefined
  }
}

/** What {@link WrittenEvents} wrote; undefined when it cannot be read any more. */
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
