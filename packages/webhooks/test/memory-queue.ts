import { setTimeout as sleep } from 'node:timers/promises'
import { createConsumer, type ConsumerOptions, type ConsumerSource } from '../src/consume/index.ts'
import type { WebhookEvent, Publisher } from '../src/index.ts'

/** A shared queue in memory, of which `ids` lists the events that are not settled. Ids are deduplicated for ever. */
export function createMemoryQueue() {
  const known = new Set<string>()
  const waiting: WebhookEvent[] = []
  const unsettled = new Map<string, WebhookEvent>()
  const dead: string[] = []

  const source: ConsumerSource = {
    open: () => Promise.resolve(),
    async receive(limit, signal) {
      if (waiting.length === 0) await sleep(2, undefined, { signal }).catch(() => undefined)
      return waiting.splice(0, limit).map((event) => ({
        decode: () => event,
        deliveries: 0,
        ack: () => Promise.resolve(unsettled.delete(event.id)),
        deadLetter: (reason) => Promise.resolve(dead.push(reason)),
        release: () => Promise.resolve(waiting.push(event)),
      }))
    },
    close: () => Promise.resolve(),
  }
  const publish: Publisher['publish'] = (events) =>
    Promise.resolve(
      events.map((event) => {
        const duplicate = known.has(event.id)
        known.add(event.id)
        if (duplicate) return { ok: true, duplicate }
        waiting.push(event)
        unsettled.set(event.id, event)
        return { ok: true, duplicate }
      }),
    )
  return {
    publish,
    consumer: (options: ConsumerOptions) => createConsumer(source, options),
    dead,
    ids: () => [...unsettled.keys()],
  }
}
