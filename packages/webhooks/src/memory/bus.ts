import { callHook } from '@sallyport/internal/promises'
import { integerOption } from '@sallyport/internal/options'
import type { WebhookEvent } from '../ports/event.ts'
import type { Publisher, PublishResult } from '../ports/ports.ts'

export interface MemoryBusOptions {
  /** The number of ids for the deduplication; the bus forgets the oldest beyond it. @default 100,000 */
  readonly ids?: number
  /** The number of events in {@link MemoryBus.events}; the bus forgets the oldest beyond it. @default 1,000 */
  readonly events?: number
}

/** Receives every event once, in the order of publication. Its errors are ignored. */
type EventListener = (event: WebhookEvent) => unknown

/** A bus inside one process. */
export interface MemoryBus extends Publisher {
  /** The newest published events, oldest first. */
  readonly events: readonly WebhookEvent[]
  /** Calls the listener for each event that is published from now on, until the returned function is called. */
  subscribe(listener: EventListener): () => void
}

/**
 * Creates a bus in the memory of the process. The bus deduplicates by id, and a restart loses everything.
 *
 * @throws TypeError when an option is not an integer of at least 1
 *
 * @example
 * ```ts
 * import { createMemoryBus } from '@sallyport/webhooks'
 *
 * const bus = createMemoryBus()
 * const unsubscribe = bus.subscribe((event) => {
 *   process.stdout.write(`${event.name}\n`)
 * })
 * unsubscribe()
 * ```
 */
export function createMemoryBus(options: MemoryBusOptions = {}): MemoryBus {
  const idLimit = integerOption('ids', options.ids ?? 100_000, 1)
  const eventLimit = integerOption('events', options.events ?? 1000, 1)
  const known = new Set<string>()
  /** A ring buffer of the known ids. */
  const ids: string[] = []
  const published: WebhookEvent[] = []
  const listeners = new Set<{ readonly listener: EventListener }>()
  let count = 0

  function publishOne(event: WebhookEvent): PublishResult {
    if (known.has(event.id)) return { ok: true, duplicate: true }
    const position = count++ % idLimit
    const oldest = ids[position]
    if (oldest !== undefined) known.delete(oldest)
    ids[position] = event.id
    known.add(event.id)
    published.push(event)
    if (published.length > eventLimit) published.shift()
    for (const { listener } of listeners) callHook(listener, event)
    return { ok: true, duplicate: false }
  }

  return {
    get events() {
      return [...published]
    },
    subscribe(listener) {
      // A new object for each call, so that the same function can subscribe twice.
      const subscription = { listener }
      listeners.add(subscription)
      return () => {
        listeners.delete(subscription)
      }
    },
    publish: (events, signal) =>
      new Promise((resolve) => {
        signal.throwIfAborted()
        resolve(events.map(publishOne))
      }),
  }
}
