import { integerOption, timerOption } from '@sallyport/internal/options'
import { SallyportError } from '@sallyport/errors'
import type { InternalEvent } from '../ports/event.ts'
import type { PublishResult } from '../ports/ports.ts'
import type { Queue, ReceivedEvent } from '../ports/queue-port.ts'
import { aboutBytes } from './about-bytes.ts'
import { DueHeap, type Ranked } from './due-heap.ts'

export interface MemoryQueueOptions {
  /** Events that it holds; past it, `enqueue` answers with a retryable failure. @default 100,000 */
  readonly events?: number
  /** How long a received event is the receiver's, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

interface Item extends Ranked {
  readonly event: InternalEvent
  since: number
  received: number
  isHeld: boolean
  /** Once somebody has asked. */
  bytes: number | undefined
}

/**
 * A queue in this process, for tests and for servers that may lose what they hold: a restart forgets everything.
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
  const due = new DueHeap<Item>()
  const waiting = new Set<() => void>()
  let lastTakeAt = Infinity
  let order = 0
  let closed = false

  function requireOpen(): void {
    if (closed) throw new SallyportError('SERVICE_UNAVAILABLE', 'The queue is closed: open another')
  }

  function enqueueOne(event: InternalEvent): PublishResult {
    if (items.has(event.id)) return { ok: true, duplicate: true }
    if (items.size >= capacity) return { ok: false, retryable: true, error: 'The queue is full' }
    const item: Item = {
      event,
      since: now(),
      received: 0,
      isHeld: false,
      bytes: undefined,
      rank: 0,
      order: order++,
      position: -1,
    }
    items.set(event.id, item)
    due.push(item, item.since)
    return { ok: true, duplicate: false }
  }

  /** Makes events due whose time comes from before the clock was set back; a lease lasts for one lease more. */
  function reschedule(at: number): void {
    for (const item of due.filter(({ since, rank }) => since > at && rank > at)) {
      item.since = at
      due.remove(item)
      due.push(item, item.isHeld ? Math.min(item.rank, at + leaseMs) : at)
    }
  }

  function take(limit: number, maxBytes: number | undefined): ReceivedEvent[] {
    const at = now()
    if (at < lastTakeAt) reschedule(at)
    lastTakeAt = at
    const taken: Item[] = []
    let bytes = 0
    for (let item = due.peek(); item && item.rank <= at && taken.length < limit; item = due.peek()) {
      if (maxBytes !== undefined) {
        bytes += item.bytes ??= aboutBytes(item.event.data)
        if (bytes > maxBytes && taken.length > 0) break
      }
      due.remove(item)
      taken.push(item)
    }
    return taken.map((item) => {
      item.isHeld = true
      due.push(item, at + leaseMs)
      return held(item)
    })
  }

  function held(item: Item): ReceivedEvent {
    const attempts = item.received++
    let ended = false
    const end = (step: () => void) =>
      new Promise<boolean>((resolve) => {
        requireOpen()
        // Whoever received it later holds it, if anybody does.
        const isHeld = !ended && items.get(item.event.id) === item && item.received === attempts + 1
        resolve(isHeld)
        if (!isHeld) return
        ended = true
        due.remove(item)
        step()
      })
    return {
      event: item.event,
      attempts,
      since: item.since,
      ...(item.bytes !== undefined && { bytes: item.bytes }),
      ack: () => end(() => items.delete(item.event.id)),
      async retry(afterMs) {
        if (!Number.isFinite(afterMs)) throw new TypeError('The delay of a retry is not a number')
        return end(() => {
          item.isHeld = false
          due.push(item, now() + afterMs)
          wakeAll()
        })
      },
    }
  }

  function wakeAll(): void {
    for (const wake of waiting) wake()
  }

  /** Waits for something to come in or to become due. */
  function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const nextMs = (due.peek()?.rank ?? Infinity) - now()
      const timer = setTimeout(wake, Math.max(1, Math.min(milliseconds, nextMs)))
      waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  return {
    leaseMs,
    enqueue: (events, signal) =>
      new Promise((resolve) => {
        requireOpen()
        signal.throwIfAborted()
        const results = events.map(enqueueOne)
        wakeAll()
        resolve(results)
      }),
    async receive({ limit, maxBytes, waitMs = 0, signal }) {
      requireOpen()
      const until = performance.now() + waitMs
      for (;;) {
        const taken = signal.aborted || closed ? [] : take(limit, maxBytes)
        const leftMs = until - performance.now()
        if (taken.length > 0 || leftMs <= 0 || signal.aborted || closed) return taken
        await pause(leftMs, signal)
      }
    },
    close() {
      closed = true
      wakeAll()
      return Promise.resolve()
    },
  }
}
