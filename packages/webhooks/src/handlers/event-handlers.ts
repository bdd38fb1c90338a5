import type { MaybePromise } from '../ports/ports.ts'
import type { AnyProvider, EventSchemas, ProviderEvent } from '../provider/provider.ts'

/** The events of some providers, each as its schema gives it. */
export type EventOf<Providers extends AnyProvider> = Providers extends {
  readonly name: infer Name extends string
  readonly events: infer Events extends EventSchemas
}
  ? ProviderEvent<Events, Name>
  : never

/** Does something about an event; what it throws, or rejects with, is a failed attempt. */
export type EventHandler<Event> = (event: Event, signal: AbortSignal) => MaybePromise<unknown>

/** A handler for each event that somebody cares about, by the event's name. */
export type EventHandlers<Providers extends readonly AnyProvider[]> = {
  readonly [Name in EventOf<Providers[number]>['name']]?: EventHandler<
    Named<EventOf<Providers[number]>, Name>
  >
}

// A provider that is not known by its name has a pattern for one: the name has to fit it, not the other way round.
type Named<Event, Name> = Event extends { readonly name: infer Pattern }
  ? Name extends Pattern
    ? Event
    : never
  : never
