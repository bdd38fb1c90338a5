import type { ClaimedWork, Route, Settlement, Work } from '@sallyport/webhooks'
import type { Vault } from '../encryption/vault.ts'
import type { BodyEvents } from '../internal/event-json.ts'
import { reportMissingKey, reportUnreadable, type OnError } from '../internal/errors.ts'
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
  readonly vault: Vault
}

/** How long an event waits whose key is missing, in milliseconds. */
const withoutKeyMs = 60_000

/** Whether the ring lacks the key of an event. */
export const lacksKey = ({ data, data_body, subject }: ClaimedRow, vault: Vault): boolean =>
  vault.lacksKey(data_body ?? data) || vault.subjects.lacksKey(subject)

/**
 * Separates readable work from unreadable rows. The latter become dead letters, so that they block no other work. A row whose key
 * is missing waits for it.
 */
export function readClaimedRows(
  rows: readonly ClaimedRow[],
  { lease, isMeasured, bodyEvents, vault }: ReadOptions,
): { readonly claimed: readonly ClaimedWork[]; readonly unreadable: readonly Settlement[] } {
  const claimed: ClaimedWork[] = []
  const unreadable: Settlement[] = []
  for (const row of rows) {
    const { id, route, attempts, since } = row
    if (lacksKey(row, vault)) {
      const error = 'ENCRYPTION_KEY_MISSING: add the key of the event to the ring'
      unreadable.push({ id, lease, outcome: { status: 'retry', afterMs: withoutKeyMs, error } })
      continue
    }
    try {
      const data = readData(row, vault)
      const work = { event: toEvent(row, data, vault), route, attempts, since, lease }
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

/** Reports work that was settled as dead because its row is unreadable, or that waits for its key. */
export function reportUnreadableRows(
  onError: OnError | undefined,
  work: Work,
  settled: readonly Pick<Settlement, 'id' | 'outcome'>[],
): void {
  for (const { id, outcome } of settled) {
    const event = unescapeText(id)
    if (outcome.status === 'retry') reportMissingKey(onError, event)
    else reportUnreadable(onError, `An event of the inbox cannot be read: ${messages[work](event)}`)
  }
}
