import type { DeliveryRecord, InternalEvent } from '@sallyport/webhooks'
import { randomUUID } from 'node:crypto'

/** A published package, of about a kilobyte as JSON. */
function eventOf(run: string, number: number): InternalEvent {
  return {
    id: `codehost:package.published:${run}-${number}`,
    name: 'codehost/package.published',
    subject: `example/packages/${number}`,
    ts: 1_700_000_000_000 + number,
    data: { package: 'hello', version: `1.0.${number}`, filling: 'x'.repeat(700) },
    source: { provider: 'codehost', deliveryId: randomUUID(), receivedAt: 1_700_000_000_000 + number },
  }
}

/** So many events that no other run has. */
export function eventsOf(count: number): InternalEvent[] {
  const run = randomUUID()
  return Array.from({ length: count }, (_, number) => eventOf(run, number))
}

/** The delivery that an event came in. */
export function recordOf(event: InternalEvent, body: Uint8Array): DeliveryRecord {
  const { deliveryId: id, provider, receivedAt } = event.source
  const events = [{ event, route: 'direct' as const, notify: false }]
  return { id, provider, receivedAt, headers: { 'content-type': 'application/json' }, body, events }
}

/** Works through all of them, so many at once. */
export async function inPool<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of { [Symbol.iterator]: () => rest }) await work(item)
    }),
  )
}

/** How many events a second, when they took so long from a time of `performance.now`. */
export const rateSince = (startedAt: number, count: number): number =>
  (count * 1000) / (performance.now() - startedAt)
