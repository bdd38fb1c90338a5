import type { BackoffOptions } from '../dispatch/backoff.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { MaybePromise } from '../ports/ports.ts'
import type { AnyProvider, EventSchemas, ProviderEvent } from '../provider/provider.ts'

/** The events of some providers, as their schemas return them. */
type EventOf<Providers extends AnyProvider> = Providers extends {
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
 * import { createRunner, defineService, hmac, createMemoryInbox, type WithPayloads } from '@sallyport/webhooks'
 *
 * const doorbell = defineService({
 *   name: 'doorbell',
 *   signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
 *   kind: 'type',
 * })
 *
 * const runner = createRunner<[WithPayloads<typeof doorbell, { ring: { door: string } }>]>({
 *   inbox: createMemoryInbox(),
 *   on: { 'doorbell/ring': ({ data }) => console.log(data.door) },
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
      [Kind in keyof Payloads & string]: WebhookEvent<Payloads[Kind]> & { readonly name: `${Name}/${Kind}` }
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

/** Handlers by the name of their event, alone or with limits. */
export type LimitedEventHandlers<Providers extends readonly AnyProvider[]> = {
  readonly [Name in EventOf<Providers[number]>['name']]?: MaybeLimited<
    EventHandler<EventWithName<EventOf<Providers[number]>, Name>>
  >
}

/** With the event as its parameter, a large union of payloads would lose the type of the function. */
type MaybeLimited<Handler> = Handler | (HandlerLimits & { readonly handler: Handler })

/** The limits of a handler. */
export interface HandlerLimits {
  /**
   * The timeout of a run in milliseconds, up to 24 days. At the timeout the signal of the handler aborts, and the attempt
   * fails. The lease of the event is renewed until then.
   */
  readonly timeoutMs?: number
  /** How many runs of the handler this process has at the same time. @default no limit of its own */
  readonly concurrency?: number
  /** The attempts after which an event is a dead letter. @default no limit except that of the back-off */
  readonly maxAttempts?: number
  /** The delays between the attempts of an event. */
  readonly backoff?: BackoffOptions
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
