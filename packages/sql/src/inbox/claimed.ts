import type { ClaimedWork, Route, Settlement, Work } from '@sallyport/webhooks'
import type { DataRow } from '../bodies/bodies.ts'
import type { Vault } from '../encryption/vault.ts'
import type { BodyEvents } from '../internal/event-json.ts'
import { reportUnreadable, reportWaiting, type OnError } from '../internal/errors.ts'
import { unescapeText } from '../internal/text.ts'
import { readData, toEvent, type EventRow } from './event-row.ts'

/** A row of claimed work. */
export interface ClaimedRow extends EventRow, DataRow {
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

/** What an event waits for, by the code of its error: for how long, in milliseconds. */
const waitMs = { ENCRYPTION_KEY_MISSING: 60_000, BODY_UNAVAILABLE: 30_000, BODY_MISSING: 30_000 } as const
type Missing = keyof typeof waitMs

const remedies: Readonly<Record<Missing, string>> = {
  ENCRYPTION_KEY_MISSING: 'add the key of the event to the ring',
  BODY_UNAVAILABLE: 'the store of its body does not answer',
  BODY_MISSING: 'restore its object, or erase the delivery',
}

/** Returns what an event waits for: its key, or its object. */
export function findMissing(
  { data, data_body, subject, unavailable }: ClaimedRow,
  vault: Vault,
): Missing | undefined {
  if (unavailable !== undefined)
    return unavailable.code === 'BODY_MISSING' ? 'BODY_MISSING' : 'BODY_UNAVAILABLE'
  const lacksKey = vault.lacksKey(data_body ?? data) || vault.subjects.lacksKey(subject)
  return lacksKey ? 'ENCRYPTION_KEY_MISSING' : undefined
}

/**
 * Separates readable work from unreadable rows. The latter become dead letters, so that they block no other work. A row whose key
 * or object is missing waits for it.
 */
export function readClaimedRows(
  rows: readonly ClaimedRow[],
  { lease, isMeasured, bodyEvents, vault }: ReadOptions,
): { readonly claimed: readonly ClaimedWork[]; readonly unreadable: readonly Settlement[] } {
  const claimed: ClaimedWork[] = []
  const unreadable: Settlement[] = []
  for (const row of rows) {
    const { id, route, attempts, since } = row
    const missing = findMissing(row, vault)
    if (missing !== undefined) {
      const error = `${missing}: ${remedies[missing]}`
      unreadable.push({ id, lease, outcome: { status: 'retry', afterMs: waitMs[missing], error } })
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

/** Reports work that was settled as dead because its row is unreadable, or that waits for its key or its object. */
export function reportUnreadableRows(
  onError: OnError | undefined,
  work: Work,
  settled: readonly Pick<Settlement, 'id' | 'outcome'>[],
): void {
  for (const { id, outcome } of settled) {
    const event = unescapeText(id)
    if (outcome.status === 'retry') reportWaiting(onError, event, outcome.error)
    else reportUnreadable(onError, `An event of the inbox cannot be read: ${messages[work](event)}`)
  }
}
