import type { ClaimedWork, Settlement } from '@sallyport/webhooks'
import { toEvent } from './event-row.ts'
import type { ClaimedRow } from './inbox.ts'

/** Separates readable work from unreadable rows; the latter become dead letters, so that they block no other work. */
export function readClaimed(
  rows: readonly ClaimedRow[],
  lease: string,
  measured: boolean,
): { readonly claimed: readonly ClaimedWork[]; readonly unreadable: readonly Settlement[] } {
  const claimed: ClaimedWork[] = []
  const unreadable: Settlement[] = []
  for (const row of rows) {
    const { id, data, route, attempts, since } = row
    try {
      const work = { event: toEvent(row), route, attempts, since, lease }
      claimed.push(measured ? { ...work, bytes: Buffer.byteLength(data ?? '') } : work)
    } catch {
      unreadable.push({ id, lease, outcome: { status: 'dead', error } })
    }
  }
  return { claimed, unreadable }
}

const error = 'The event cannot be read as JSON: repair its row, and replay it'
