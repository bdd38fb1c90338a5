import { SallyportError } from '@sallyport/errors'
import { integerOption, timerOption } from '@sallyport/internal/options'
import type { InternalEvent } from '../ports/event.ts'
import type { PublishResult } from '../ports/ports.ts'
import type { Queue, ReceivedEvent } from '../ports/queue-port.ts'
import { Schedule } from './schedule.ts'

export interface MemoryQueueOptions {
  /** The maximum number of events; `enqueue` returns a retryable failure for more. @default 100,000 */
  readonly events?: number
  /** How long a received event is leased, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

interface Item {
  readonly order: number
  readonly event: InternalEvent
  since: number
  /** When the event is due, or when its lease ends. */
  at: number
  /** How often the event was received. */
  received: number
}

/**
 * Creates a queue in the memory of the process, for tests and for servers that may lose events. A restart loses everything.
 *
 * @throws TypeError for a number that is out of range
 *
 * @example
 * ```ts
 * import { createDispatcher, createDrainer, memoryBus, memoryInbox, memoryQueue } from '@sallyport/webhooks'
 *
 * const inbox = memoryInbox()
 * const queue = memoryQueue()
 * const bus = memoryBus()
 * const dispatcher = createDispatcher({ inbox, publisher: bus, queue })
 * const drainer = createDrainer({ queue, publisher: bus, inbox })
 * dispatcher.start()
 * drainer.start()
 * ```
 */
export function memoryQueue(options: MemoryQueueOptions = {}): Queue {
  const { now = Date.now } = options
  const capacity = integerOption('events', options.events ?? 100_000, 1)
  const leaseMs = timerOption('leaseMs', options.leaseMs ?? 15_000)
  const items = new Map<string, Item>()
  const schedule = new Schedule<Item>()
  const waiting = new Set<() => void>()
  let lastReceiveAt = Infinity
  let order = 0
  let closed = false

  function checkOpen(): void {
    if (closed) throw new SallyportError('SERVICE_UNAVAILABLE', 'The queue is closed: open another')
  }

  function enqueueOne(event: InternalEvent): PublishResult {
    if (items.has(event.id)) return { ok: true, duplicate: true }
    if (items.size >= capacity) return { ok: false, retryable: true, error: 'The queue is full' }
    const at = now()
    const item: Item = { event, since: at, received: 0, at, order: order++ }
    items.set(event.id, item)
    setTime(item, at)
    return { ok: true, duplicate: false }
  }

  function setTime(item: Item, at: number): void {
    item.at = at
    schedule.set(item, at, item.order)
  }

  /** After the clock was set back: makes events due that began in the future; a lease lasts `leaseMs` at most. */
  function reschedule(at: number): void {
    for (const item of schedule.entries().filter((one) => one.since > at && one.at > at)) {
      item.since = at
      setTime(item, item.received > 0 ? Math.min(item.at, at + leaseMs) : at)
    }
  }

  function receiveNow(limit: number, maxBytes: number | undefined): ReceivedEvent[] {
    const at = now()
    if (at < lastReceiveAt) reschedule(at)
    lastReceiveAt = at
    const taken: { readonly item: Item; readonly bytes: number | undefined }[] = []
    let total = 0
    for (let next = schedule.peek(); next && next.at <= at && taken.length < limit; next = schedule.peek()) {
      const item = next.entry
      const bytes = maxBytes === undefined ? undefined : estimateBytes(item.event.data)
      total += bytes ?? 0
      if (taken.length > 0 && total > (maxBytes ?? total)) break
      schedule.delete(item)
      taken.push({ item, bytes })
    }
    return taken.map(({ item, bytes }) => {
      setTime(item, at + leaseMs)
      return createReceived(item, bytes)
    })
  }

  function createReceived(item: Item, bytes: number | undefined): ReceivedEvent {
    const { event, since } = item
    const attempts = item.received++
    let ended = false
    const end = (step: () => void) =>
      new Promise<boolean>((resolve) => {
        checkOpen()
        // A later receiver has the lease if the count has grown.
        const isLeased = !ended && items.get(event.id) === item && item.received === attempts + 1
        resolve(isLeased)
        if (!isLeased) return
        ended = true
        schedule.delete(item)
        step()
      })
    return {
      ...{ event, attempts, since },
      ...(bytes !== undefined && { bytes }),
      ack: () => end(() => items.delete(event.id)),
      async retry(afterMs) {
        if (!Number.isFinite(afterMs)) throw new TypeError('The delay of a retry must be a finite number')
        return end(() => {
          setTime(item, now() + afterMs)
          wakeAll()
        })
      },
    }
  }

  function wakeAll(): void {
    for (const wake of waiting) wake()
  }

  /** Waits until an event arrives or becomes due. */
  function waitForEvent(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const nextMs = (schedule.peek()?.at ?? Infinity) - now()
      const timer = setTimeout(wake, Math.max(1, Math.min(milliseconds, nextMs)))
      waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  return {
    leaseMs,
    enqueue: (events, signal) =>
      new Promise((resolve) => {
        checkOpen()
        signal.throwIfAborted()
        resolve(events.map(enqueueOne))
        wakeAll()
      }),
    async receive({ limit, maxBytes, waitMs = 0, signal }) {
      checkOpen()
      const until = performance.now() + waitMs
      for (;;) {
        const received = signal.aborted || closed ? [] : receiveNow(limit, maxBytes)
        const leftMs = until - performance.now()
        if (received.length > 0 || leftMs <= 0 || signal.aborted || closed) return received
        await waitForEvent(leftMs, signal)
      }
    },
    close() {
      closed = true
      wakeAll()
      return Promise.resolve()
    },
  }
}

/** Estimates the size of data by the length of its JSON; data that JSON cannot represent counts as 0. */
function estimateBytes(data: unknown): number {
  try {
    // The result is undefined for undefined, contrary to its type.
    return (JSON.stringify(data) as string | undefined)?.length ?? 0
  } catch {
    return 0
  }
}
