import type { WebhookEvent, PublishResult } from '@sallyport/webhooks'
import { keyMissing } from '../encryption/key-ring.ts'
import { readJson } from '../encryption/read-json.ts'
import type { Vault } from '../encryption/vault.ts'
import { escapeText } from './text.ts'

/** An event as a row of a bus or queue table; `event` is JSON, sealed or not. */
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

  constructor(events: readonly WebhookEvent[], vault: Vault, bodyEvents?: BodyEvents) {
    this.#isValid = events.map((event) => {
      const hasBody = bodyEvents?.has(event) === true && bodyEvents.get(event) === event.data
      const row = toRow(event, hasBody, vault)
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

function toRow(event: WebhookEvent, hasBody: boolean, vault: Vault): EventJson | undefined {
  try {
    const json = JSON.stringify(hasBody ? { ...event, data: undefined } : event)
    const id = escapeText(event.id)
    return { id, event: vault.seal(json, copyContext(id)), hasBody }
  } catch {
    return undefined
  }
}

/** Names an event on the bus, in the dead letters of its consumers and in the shared queue. */
const copyContext = (id: string): string => `event ${id}`

/** The row of an event on the bus or in its dead letters. */
export interface EventCopy {
  readonly id: string
  readonly event: string
  readonly data_body?: Uint8Array | null
}

/**
 * Checks that the ring has the keys of all rows: without its key, a consumer would settle an event as unreadable.
 *
 * @throws SallyportError `ENCRYPTION_KEY_MISSING`
 */
export function requireKeys(rows: readonly Partial<Nullable<EventCopy>>[], { lacksKey }: Vault): void {
  if (rows.some(({ event = null, data_body = null }) => lacksKey(event) || lacksKey(data_body)))
    throw keyMissing()
}

type Nullable<Row> = { readonly [Name in keyof Row]: Row[Name] | null }

/** Returns the JSON of an event that {@link EventRows} wrote, without its data in a stored body. @throws the errors of a vault */
export const openEvent = ({ id, event }: EventCopy, vault: Vault): string =>
  vault.open(event, copyContext(id))

/** Parses an event that {@link EventRows} wrote, with the data of a stored body; undefined when it is unreadable. */
export function readEvent(row: EventCopy, vault: Vault): WebhookEvent | undefined {
  try {
    const event = JSON.parse(openEvent(row, vault)) as Partial<WebhookEvent> | null
    if (typeof event?.id !== 'string' || typeof event.name !== 'string') return undefined
    const read = event as WebhookEvent
    const { data_body: body = null } = row
    if (body === null) return read
    const json = readJson(body, escapeText(read.source.deliveryId), vault)
    return { ...read, data: JSON.parse(json) as unknown }
  } catch {
    return undefined
  }
}

/** Inserts the data of a stored body into the event of a row; `null` when it is unreadable. */
export function withData(row: EventCopy, vault: Vault): string {
  const { id, event, data_body: body = null } = row
  return body === null ? event : vault.seal(JSON.stringify(readEvent(row, vault) ?? null), copyContext(id))
}

/** Removes the data and the subject from the event of a row; an unreadable event becomes `null`. The result is not sealed. */
export function withoutContent({ id, event: stored }: EventCopy, vault: Vault): string {
  const event = readEvent({ id, event: stored }, vault)
  return event === undefined ? 'null' : JSON.stringify({ ...event, subject: '', data: undefined })
}
