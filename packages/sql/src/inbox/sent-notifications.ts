import type { Settlement } from '@sallyport/webhooks'

/** Collects the ids of the sent notifications by lease; a lease without any has an empty set. */
export function collectSent(settlements: readonly Settlement[]): ReadonlyMap<string, Set<string>> {
  const sent = new Map<string, Set<string>>()
  for (const { id, lease, outcome } of settlements) {
    const ids = sent.get(lease) ?? new Set()
    sent.set(lease, ids)
    if (outcome.status === 'done') ids.add(id)
  }
  return sent
}
