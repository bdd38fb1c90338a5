import { SallyportError } from '@sallyport/errors'
import { runWithTimeout, untilAborted } from '@sallyport/internal/deadline'
import { integerOption, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { WebhookEvent, PublishResult } from '@sallyport/webhooks'
import { createBusTracker, notSerializable } from '../../client/failure.ts'
import type { AwsBus, AwsBusOptions } from './bus.ts'
import {
  createTooLarge,
  describeError,
  toFailure,
  isAccessDenied,
  isRefusal,
  isTooLarge,
  timedOut,
} from './failure.ts'

/** How a service takes events. */
export interface BatchFormat<Entry> {
  /** Named in errors, such as `SQS`. */
  readonly service: string
  /** Maximum size of an event, in bytes. */
  readonly eventBytes: number
  /** Maximum size of a request, in bytes. */
  readonly requestBytes: number
  /** Encodes an event. Throws for an event that cannot be encoded. */
  encode(event: WebhookEvent): { readonly entry: Entry; readonly bytes: number }
  /** Sends up to ten entries and returns a result for each. */
  send(entries: readonly Entry[], signal: AbortSignal): Promise<readonly PublishResult[]>
  /** Requests the attributes of the destination. */
  describe(signal: AbortSignal): Promise<unknown>
  /** Closes the client. */
  close(): void
}

interface Part<Entry> {
  readonly index: number
  readonly entry: Entry
  readonly bytes: number
}

const requestEntries = 10
const pingTimeoutMs = 5000

/** Creates a publisher that sends requests with up to ten events. */
export function createBatchPublisher<Entry>(format: BatchFormat<Entry>, options: AwsBusOptions): AwsBus {
  const { service } = format
  const timeoutMs = timerOption('timeoutMs', options.timeoutMs ?? 4000)
  const concurrency = integerOption('concurrency', options.concurrency ?? 10, 1)
  const eventBytes = integerOption('eventBytes', format.eventBytes, 1)
  const tooLarge = createTooLarge(service)
  const operations = createBusTracker()
  let isAvailable: boolean | undefined

  const toUnavailable = (error: unknown) =>
    new SallyportError('SERVICE_UNAVAILABLE', describeError(service, error))

  function report(error?: unknown): void {
    const before = isAvailable
    isAvailable = error === undefined
    if (before === isAvailable) return
    if (isAvailable) callHook(options.onAvailable)
    else callHook(options.onUnavailable, toUnavailable(error))
  }

  async function publish(events: readonly WebhookEvent[], signal: AbortSignal) {
    const results: PublishResult[] = events.map(() => timedOut)
    const requests = groupParts(encodeAll(events, results), format.requestBytes)
    let failure: PublishResult | undefined

    async function send(parts: readonly Part<Entry>[]): Promise<void> {
      if (failure !== undefined) {
        for (const { index } of parts) results[index] = failure
        return
      }
      try {
        const entries = parts.map(({ entry }) => entry)
        const answers = await format.send(entries, signal)
        report()
        for (const [position, { index }] of parts.entries()) results[index] = answers[position] ?? timedOut
      } catch (error) {
        if (signal.aborted) return
        if (isRefusal(error) && parts.length > 1) {
          const middle = parts.length >> 1
          requests.unshift(parts.slice(0, middle), parts.slice(middle))
          return
        }
        const result = isTooLarge(error) ? tooLarge : toFailure(service, error)
        for (const { index } of parts) results[index] = result
        if (isRefusal(error)) return
        // The rest of the call would fail too.
        failure = result
        report(error)
      }
    }

    async function sendRequests(): Promise<void> {
      for (let next = requests.shift(); next !== undefined; next = requests.shift()) {
        if (signal.aborted) return
        await send(next)
      }
    }

    const senders = Array.from({ length: Math.min(concurrency, requests.length) }, sendRequests)
    try {
      await untilAborted(Promise.all(senders), signal)
    } catch (error) {
      // The results so far are valid.
      if (!signal.aborted) throw error
      report(new DOMException('The service took too long', 'TimeoutError'))
    }
    return [...results]
  }

  /** Encodes the events, and sets the results of events that cannot be sent. */
  function encodeAll(events: readonly WebhookEvent[], results: PublishResult[]): readonly Part<Entry>[] {
    return events.flatMap((event, index) => {
      try {
        const { entry, bytes } = format.encode(event)
        if (bytes <= eventBytes) return [{ index, entry, bytes }]
        results[index] = tooLarge
      } catch {
        // The error is dropped because it may quote the data.
        results[index] = notSerializable
      }
      return []
    })
  }

  return {
    publish: (events, signal) =>
      operations.run(async () => {
        signal.throwIfAborted()
        const late = new AbortController()
        const timer = setTimeout(() => {
          late.abort()
        }, timeoutMs)
        try {
          return await publish(events, AbortSignal.any([signal, late.signal]))
        } finally {
          clearTimeout(timer)
        }
      }),
    ping: () =>
      operations.run(async () => {
        try {
          await runWithTimeout(pingTimeoutMs, (late) => format.describe(late))
        } catch (error) {
          if (!isAccessDenied(error)) throw toUnavailable(error)
        }
      }),
    async close() {
      await operations.close()
      format.close()
    },
  }
}

/** Groups parts in their order into as few requests as the limits allow. */
function groupParts<Entry>(parts: readonly Part<Entry>[], requestBytes: number): (readonly Part<Entry>[])[] {
  const groups: Part<Entry>[][] = []
  let bytes = 0
  for (const part of parts) {
    const last = groups.at(-1)
    bytes += part.bytes
    if (last !== undefined && last.length < requestEntries && bytes <= requestBytes) last.push(part)
    else {
      groups.push([part])
      bytes = part.bytes
    }
  }
  return groups
}
