import { integerOption, timerOption } from '@sallyport/internal/options'
import { describeFailure } from '@sallyport/internal/describe-failure'
import type { InternalEvent } from '../ports/event.ts'
import type { MaybePromise, Publisher, PublishResult } from '../ports/ports.ts'
import type { AnyProvider, EventSchemas, ProviderEvent } from '../provider/provider.ts'

/** The events of some providers, as their schemas return them. */
export type EventOf<Providers extends AnyProvider> = Providers extends {
  readonly name: infer Name extends string
  readonly events: infer Events extends EventSchemas
}
  ? ProviderEvent<Events, Name> | PassedEventOf<Providers, Name>
  : never

/**
 * A service with the types of its payloads by kind, such as those that the vendor publishes.
 *
 * @example
 * ```ts
 * import { defineService, handlers, hmac, type WithPayloads } from '@sallyport/webhooks'
 *
 * const doorbell = defineService({
 *   name: 'doorbell',
 *   signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
 *   kind: 'type',
 * })
 *
 * const publisher = handlers<[WithPayloads<typeof doorbell, { ring: { door: string } }>]>({
 *   'doorbell/ring': ({ data }) => console.log(data.door),
 * })
 * ```
 */
export type WithPayloads<One extends AnyProvider, Payloads extends object> = Omit<One, 'payloads'> & {
  readonly payloads?: Payloads
}

/** Payloads by kind, from a union of payloads and the field with the kind: `PayloadsBy<Stripe.Event, 'type'>`. */
export type PayloadsBy<Payload, Field extends string> = {
  [One in Payload as One extends Readonly<Record<Field, infer Kind extends string>> ? Kind : never]: One
}

/**
 * Payloads by kind and action, from a map of payloads by name: `issues` with the action `opened` becomes `issues.opened`. The
 * map is such as `EventPayloadMap` of `@octokit/webhooks-types`.
 */
export type PayloadsByAction<Payloads> = {
  [Entry in ActionEntries<Payloads> as Entry[0]]: Entry[1]
}

type ActionEntries<Payloads> = {
  [Name in keyof Payloads & string]: ActionEntry<Name, Payloads[Name]>
}[keyof Payloads & string]

type ActionEntry<Name extends string, Payload> = Payload extends {
  readonly action: infer Action extends string
}
  ? [`${Name}.${Action}`, Payload]
  : [Name, Payload]

/** The events that a service passes through unchanged. */
type PassedEventOf<One, Name extends string> = One extends { readonly payloads?: infer Payloads | undefined }
  ? {
      [Kind in keyof Payloads & string]: InternalEvent<Payloads[Kind]> & { readonly name: `${Name}/${Kind}` }
    }[keyof Payloads & string]
  : never

/** Handles an event. A handler that throws or rejects fails the attempt. */
export type EventHandler<Event> = (event: Event, signal: AbortSignal) => MaybePromise<unknown>

/** Handlers by the name of their event. */
export type EventHandlers<Providers extends readonly AnyProvider[]> = {
  readonly [Name in EventOf<Providers[number]>['name']]?: EventHandler<
    EventWithName<EventOf<Providers[number]>, Name>
  >
}

// A provider without a literal name has a template type as event name, so the name must extend the template.
type EventWithName<Event, Name> = Event extends { readonly name: infer Pattern }
  ? Name extends Pattern
    ? Event
    : never
  : never

/** The event of one kind of a provider. */
export type EventOfKind<One extends AnyProvider, Kind extends string> = EventWithName<
  EventOf<One>,
  `${One['name']}/${Kind}`
>

export interface HandlersOptions {
  /** Maximum number of concurrent handlers per batch. @default 10 */
  readonly concurrency?: number
  /**
   * Timeout for the handlers of one batch in milliseconds. It must be less than nine tenths of the dispatcher's
   * `timeoutMs`, which is the time that a bus gets when a shared queue is in use. At the timeout, the signals of running
   * handlers abort, and events without a finished handler are retried.
   *
   * @default 4,000
   */
  readonly timeoutMs?: number
  /**
   * Whether an event without a handler is done, or becomes a dead letter. Dispatchers on one database share events, so
   * another dispatcher can have the handler.
   *
   * @default 'ignore'
   */
  readonly unhandled?: 'ignore' | 'refuse'
}

const brand = Symbol.for('@sallyport/webhooks.NonRetryableError')

/**
 * An error of a handler that a retry cannot fix: the event becomes a dead letter at once.
 *
 * @example
 * ```ts
 * import { NonRetryableError } from '@sallyport/webhooks'
 *
 * throw new NonRetryableError('The order was deleted')
 * ```
 */
export class NonRetryableError extends Error {
  override readonly name = 'NonRetryableError'
  readonly code = 'NON_RETRYABLE'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    Object.defineProperty(this, brand, { value: true })
  }
}

/**
 * Creates a publisher from functions, for a system without a bus. Each event goes to the handler of its name at least
 * once, and is retried until the handler returns.
 *
 * With `handlers<typeof providers>({ … })`, names and data have the types of the providers, and an unknown kind is a
 * compile-time error. Data are JSON values: dates are strings, sets are arrays. The data of a manual test
 * (`event.source.manual`) can differ from its type.
 *
 * A handler that throws is retried with back-off, unless the error is a {@link NonRetryableError} or has one as its
 * `cause`. An event can repeat after a crash: handlers must be idempotent by `event.id`.
 *
 * @throws TypeError if `concurrency` or `timeoutMs` is out of range, or if a handler is not a function
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
      await handler(event as never, signal)
      return done
    } catch (error) {
      return { ok: false, retryable: !isNonRetryable(error), error: describeFailure(error) }
    }
  }

  return {
    publish(events, signal) {
      if (signal.aborted) return Promise.resolve(events.map(() => timedOut))
      return new Promise((resolve) => {
        const results: PublishResult[] = events.map(() => timedOut)
        const controller = new AbortController()
        const queue = events.entries()

        const finish = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', stop)
          resolve([...results])
        }
        const stop = () => {
          finish()
          controller.abort(new DOMException('The handlers took too long', 'TimeoutError'))
        }
        const timer = setTimeout(stop, timeoutMs)
        signal.addEventListener('abort', stop)

        const work = async () => {
          // The workers share one iterator.
          for (const [index, event] of queue) {
            if (controller.signal.aborted) return
            results[index] = await handle(event, controller.signal)
          }
        }
        void Promise.all(Array.from({ length: Math.min(concurrency, events.length) }, work)).then(finish)
      })
    },
  }
}

const done: PublishResult = { ok: true }
const timedOut: PublishResult = { ok: false, retryable: true, error: 'The handlers took too long' }

const maxCauses = 10

/** Finds the brand in an error or its causes. The brand also matches errors from another copy of the package. */
export function isNonRetryable(error: unknown): boolean {
  let current = error
  try {
    for (let depth = 0; depth <= maxCauses && typeof current === 'object' && current !== null; depth++) {
      if (brand in current) return true
      current = (current as { cause?: unknown }).cause
    }
  } catch {
    // A getter of the error throws.
  }
  return false
}
