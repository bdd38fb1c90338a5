import type { ClaimedWork, Route, Settlement, Work } from '@sallyport/webhooks'
import type { BodyEvents } from '../internal/event-json.ts'
import { reportUnreadable, type OnError } from '../internal/errors.ts'
import { unescapeText } from '../internal/text.ts'
import { readData, toEvent, type EventRow } from './event-row.ts'

/** A row of claimed work. */
export interface ClaimedRow extends EventRow {
  readonly route: Route
  readonly attempts: number
  readonly since: number
}

interface ReadOptions {
  readonly lease: string
  /** Whether the caller limits the bytes of a claim. */
  readonly isMeasured: boolean
  readonly bodyEvents: BodyEvents
}

/** Separates readable work from unreadable rows; the latter become dead letters, so that they block no other work. */
export function readClaimedRows(
  rows: readonly ClaimedRow[],
  { lease, isMeasured, bodyEvents }: ReadOptions,
): { readonly claimed: readonly ClaimedWork[]; readonly unreadable: readonly Settlement[] } {
  const claimed: ClaimedWork[] = []
  const unreadable: Settlement[] = []
  for (const row of rows) {
    const { id, route, attempts, since } = row
    try {
      const data = readData(row)
      const work = { event: toEvent(row, data), route, attempts, since, lease }
      if (row.data_body !== null) bodyEvents.set(work.event, work.event.data)
      claimed.push(isMeasured ? { ...work, bytes: Buffer.byteLength(data ?? '') } : work)
    } catch {
      const error = 'The event cannot be read as JSON: repair its row, and replay it'
      unreadable.push({ id, lease, outcome: { status: 'dead', error } })
    }
  }
  return { claimed, unreadable }
}

const messages: Readonly<Record<Work, (id: string) => string>> = {
  publish: (id) => `${id} is a dead letter`,
  notify: (id) => `the notification about ${id} is not sent`,
}

/** Reports work that was settled as dead because its row is unreadable. */
export function reportDeadRows(
  onError: OnError | undefined,
  work: Work,
  settled: readonly Pick<Settlement, 'id'>[],
): void {
  for (const { id } of settled)
    reportUnreadable(onError, `An event of the inbox cannot be read: ${messages[work](unescapeText(id))}`)
}
