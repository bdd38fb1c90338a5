import { integerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { InternalEvent } from '../ports/event.ts'
import type { Publisher, PublishResult } from '../ports/ports.ts'
import { Ring } from './ring.ts'

export interface MemoryBusOptions {
  /** Ids that are remembered for deduplication; past it, the oldest are forgotten. @default 100,000 */
  readonly ids?: number
  /** Published events that are kept for {@link MemoryBus.events}; past it, the oldest are forgotten. @default 1,000 */
  readonly events?: number
}

/** Is told of every event once, in the order of publication. What it throws, or rejects with, is ignored. */
export type EventListener = (event: InternalEvent) => unknown

/** A bus inside one process. */
export interface MemoryBus extends Publisher {
  /** The newest published events, oldest first. */
  readonly events: readonly InternalEvent[]
  /** Calls the listener for everything that is published from now on, until the returned function is called. */
  subscribe(listener: EventListener): () => void
}

/**
 * A bus in this process: it forgets everything when the process ends, and deduplicates by id among the newest.
 *
 * @throws TypeError when an option is no integer from 1
 *
 * @example
 * ```ts
 * import { memoryBus } from '@sallyport/webhooks'
 *
 * const bus = memoryBus()
 * const unsubscribe = bus.subscribe((event) => {
 *   process.stdout.write(`${event.name}\n`)
 * })
 * unsubscribe()
 * ```
 */
export function memoryBus(options: MemoryBusOptions = {}): MemoryBus {
  const { ids = 100_000, events: kept = 1000 } = options
  const known = new Set<string>()
  const recentIds = new Ring<string>(integerOption('ids', ids, 1))
  const recentEvents = new Ring<InternalEvent>(integerOption('events', kept, 1))
  const listeners = new Set<{ readonly listener: EventListener }>()

  function publishOne(event: InternalEvent): PublishResult {
    if (known.has(event.id)) return { ok: true, duplicate: true }
    const forgotten = recentIds.push(event.id)
    if (forgotten !== undefined) known.delete(forgotten)
    known.add(event.id)
    recentEvents.push(event)
    for (const { listener } of listeners) callHook(listener, event)
    return { ok: true, duplicate: false }
  }

  return {
    get events() {
      return [...recentEvents.after(0)]
    },
    subscribe(listener) {
      // An object of its own for every call: the same function may be subscribed twice.
      const subscription = { listener }
      listeners.add(subscription)
      return () => {
        listeners.delete(subscription)
      }
    },
    publish(events, signal) {
      return new Promise((resolve) => {
        signal.throwIfAborted()
        resolve(events.map(publishOne))
      })
    },
  }
}
