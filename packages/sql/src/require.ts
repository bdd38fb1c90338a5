import type { DeliveryQuery } from '@sallyport/webhooks'

/** Checks counts, because engines treat a negative or fractional limit differently. @throws TypeError */
export function requireCounts(counts: Readonly<Record<string, number | undefined>>): void {
  for (const [name, count] of Object.entries(counts)) {
    if (count === undefined) continue
    if (!Number.isSafeInteger(count) || count < 0) throw new TypeError(`${name} is not a whole number from 0`)
  }
}

/** @throws TypeError for a time or position out of range */
export function requireTimes({
  receivedAfter = 0,
  receivedBefore = 0,
  after,
}: Pick<DeliveryQuery, 'receivedAfter' | 'receivedBefore' | 'after'>): void {
  const times = {
    receivedAfter,
    receivedBefore,
    after: after?.receivedAt ?? 0,
    sequence: after?.sequence ?? 0,
  }
  for (const [name, time] of Object.entries(times)) {
    // The range of milliseconds in a date.
    if (!(Math.abs(time) <= Number.MAX_SAFE_INTEGER)) throw new TypeError(`${name} is out of range`)
  }
}
