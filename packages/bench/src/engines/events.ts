import type { DeliveryRecord, WebhookEvent } from '@sallyport/webhooks'
import { randomUUID } from 'node:crypto'

/** Creates an event of about a kilobyte as JSON. */
function createEvent(run: string, number: number): WebhookEvent {
  return {
    id: `codehost:package.published:${run}-${number}`,
    name: 'codehost/package.published',
    subject: `example/packages/${number}`,
    ts: 1_700_000_000_000 + number,
    data: { package: 'hello', version: `1.0.${number}`, filling: 'x'.repeat(700) },
    source: { provider: 'codehost', deliveryId: randomUUID(), receivedAt: 1_700_000_000_000 + number },
  }
}

/** Creates events with ids that are unique to the run. */
export function createEvents(count: number): WebhookEvent[] {
  const run = randomUUID()
  return Array.from({ length: count }, (_, number) => createEvent(run, number))
}

/** Creates the delivery record of an event. */
export function createRecord(event: WebhookEvent, body: Uint8Array): DeliveryRecord {
  const { deliveryId: id, provider, receivedAt } = event.source
  const events = [{ event, route: 'direct' as const, notify: false }]
  return { id, provider, receivedAt, headers: { 'content-type': 'application/json' }, body, events }
}

/** Processes all items with a limited concurrency. */
export async function forEachConcurrently<Item>(
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

/** Returns the events per second since a time of `performance.now`. */
export const computeRate = (startedAt: number, count: number): number =>
  (count * 1000) / (performance.now() - startedAt)
