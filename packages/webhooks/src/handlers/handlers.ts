import { integerOption, timerOption } from '@sallyport/internal/options'
import { describeFailure } from '../internal/describe-failure.ts'
import type { InternalEvent } from '../ports/event.ts'
import type { Publisher, PublishResult } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { EventHandler, EventHandlers } from './event-handlers.ts'
import { isNonRetryable } from './non-retryable-error.ts'

export interface HandlersOptions {
  /** Handlers at work at once, of one batch. @default 10 */
  readonly concurrency?: number
  /**
   * How long the handlers of one batch may take, in milliseconds: less than nine tenths of the dispatcher's `timeoutMs`,
   * which is all that a bus has beside a shared queue. Those that have not ended by then are told by their signals and
   * have failed, and those that have not begun as well; they are tried again, and what has ended is not.
   *
   * @default 4,000
   */
  readonly timeoutMs?: number
  /**
   * What becomes of an event that has no handler: it is done with, or a dead letter. Dispatchers on one database work off
   * each other's events, so that what one of them has no handler for may be another's.
   *
   * @default 'ignore'
   */
  readonly unhandled?: 'ignore' | 'refuse'
}

/**
 * A publisher made of functions, for a system that needs no bus: each event goes to the handler of its name, at least
 * once, and is retried by itself until the handler returns.
 *
 * With `handlers<typeof providers>({ … })` the names and the data are those of the providers: a kind that none of them
 * declares does not compile. Data have been JSON: they hold texts for dates, arrays for sets. The data of a manual test
 * (`event.source.manual`) is what the tester sent, whatever its type says.
 *
 * A handler that throws is tried again with back-off; one that throws a {@link NonRetryableError}, or an error with one
 * as its `cause`, is not. The event may come again after a crash: handlers are idempotent, by `event.id`.
 *
 * @throws TypeError when `concurrency` or `timeoutMs` is no integer from 1, `timeoutMs` is longer than a timer can wait
 * (24 days), or a handler is no function
 *
 * @example
 * ```ts
 * import { createDispatcher, defineProvider, handlers, hmac, memoryInbox } from '@sallyport/webhooks'
 * import { z } from 'zod'
 *
 * const doorbell = defineProvider({
 *   name: 'doorbell',
 *   signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
 *   events: { 'bell.rung': z.object({ door: z.string() }) },
 *   normalize: () => [],
 * })
 * const providers = [doorbell]
 *
 * const publisher = handlers<typeof providers>({
 *   'doorbell/bell.rung': async ({ data }, signal) => {
 *     await fetch(`https://lights.example/${data.door}`, { method: 'POST', signal })
 *   },
 * })
 * const dispatcher = createDispatcher({ inbox: memoryInbox(), publisher })
 * ```
 */
export function handlers<Providers extends readonly AnyProvider[] = readonly AnyProvider[]>(
  byName: EventHandlers<NoInfer<Providers>>,
  { concurrency = 10, timeoutMs = 4000, unhandled = 'ignore' }: HandlersOptions = {},
): Publisher {
  integerOption('concurrency', concurrency, 1)
  timerOption('timeoutMs', timeoutMs)
  const known = new Map(Object.entries<EventHandler<never> | undefined>(byName))
  for (const [name, handler] of known) {
    if (handler !== undefined && typeof handler !== 'function')
      throw new TypeError(`The handler of ${name} must be a function`)
  }

  async function handle(event: InternalEvent, signal: AbortSignal): Promise<PublishResult> {
    const handler = known.get(event.name)
    if (handler === undefined) {
      if (unhandled === 'ignore') return done
      return { ok: false, retryable: false, error: 'No handler for events of this name' }
    }
    try {
      // What the name promises of the data is its provider's to keep.
      await handler(event as never, signal)
      return done
    } catch (error) {
      return { ok: false, retryable: !isNonRetryable(error), error: describeFailure(error) }
    }
  }

  return {
    publish(events, signal) {
      if (signal.aborted) return Promise.resolve(events.map(() => outOfTime))
      return new Promise((resolve) => {
        const results: PublishResult[] = events.map(() => outOfTime)
        const stopping = new AbortController()
        const waiting = events.entries()

        const answer = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', stop)
          resolve([...results])
        }
        const stop = () => {
          answer()
          stopping.abort(new DOMException('The handlers took too long', 'TimeoutError'))
        }
        const timer = setTimeout(stop, timeoutMs)
        signal.addEventListener('abort', stop)

        const work = async () => {
          // Whoever takes the next of one iterator takes what nobody else has.
          for (const [index, event] of waiting) {
            if (stopping.signal.aborted) return
            results[index] = await handle(event, stopping.signal)
          }
        }
        void Promise.all(Array.from({ length: Math.min(concurrency, events.length) }, work)).then(answer)
      })
    },
  }
}

const done: PublishResult = { ok: true }
const outOfTime: PublishResult = { ok: false, retryable: true, error: 'The handlers took too long' }
