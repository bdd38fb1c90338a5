import type { WebhookEvent, PublishResult } from '@sallyport/webhooks'
import { readJsonText } from '../inbox/body.ts'
import { escapeText } from './text.ts'

/** An event as a row of a bus or queue table; `event` is JSON. */
export interface EventJson {
  readonly id: string
  readonly event: string
  /** Whether the database has the data in `events.data_body`; then `event` is without data. */
  readonly hasBody: boolean
}

/** Events with the data that an inbox of this process has recorded in, or read from, `events.data_body`. */
export type BodyEvents = WeakMap<WebhookEvent, unknown>

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
  readonly events: WebhookEvent[] = []
  /** The approximate memory of the rows. */
  readonly bytes: number
  readonly #isValid: readonly boolean[]

  constructor(events: readonly WebhookEvent[], bodyEvents?: BodyEvents) {
    this.#isValid = events.map((event) => {
      const row = toRow(event, bodyEvents?.has(event) === true && bodyEvents.get(event) === event.data)
      if (row === undefined) return false
      this.rows.push(row)
      this.events.push(event)
      return true
    })
    this.bytes = this.rows.reduce((sum, { event }) => sum + event.length, 0)
  }

  /** Returns the result of each event from the result of each row. */
  results(getResult: (row: number) => PublishResult): PublishResult[] {
    let row = 0
    return this.#isValid.map((isValid) => (isValid ? getResult(row++) : unserializable))
  }
}

function toRow(event: WebhookEvent, hasBody: boolean): EventJson | undefined {
  try {
    const json = JSON.stringify(hasBody ? { ...event, data: undefined } : event)
    return { id: escapeText(event.id), event: json, hasBody }
  } catch {
    return undefined
  }
}

/** Parses an event that {@link EventRows} wrote, with the data of a stored body; undefined when it is unreadable. */
export function readEvent(json: string, body: Uint8Array | null = null): WebhookEvent | undefined {
  try {
    const event = JSON.parse(json) as Partial<WebhookEvent> | null
    if (typeof event?.id !== 'string' || typeof event.name !== 'string') return undefined
    const read = event as WebhookEvent
    return body === null ? read : { ...read, data: JSON.parse(readJsonText(body)) as unknown }
  } catch {
    return undefined
  }
}

/** Inserts the data of a stored body into an event in JSON; `null` when it is unreadable. */
export const withData = (json: string, body: Uint8Array | null): string =>
  body === null ? json : JSON.stringify(readEvent(json, body) ?? null)

/** Removes the data and the subject from an event in JSON; an unreadable event becomes `null`. */
export function withoutContent(json: string): string {
  const event = readEvent(json)
  return event === undefined ? 'null' : JSON.stringify({ ...event, subject: '', data: undefined })
}
