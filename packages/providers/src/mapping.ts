import {
  defineProvider,
  type EventFacts,
  type JsonEvents,
  type NormalizedEvent,
  type PassedEvent,
  type Provider,
  type Service,
  type VerifiedDelivery,
} from '@sallyport/webhooks'
import type * as z from 'zod'
import { readData, type DataSchema } from './fields.ts'
import { createNotify, type Messages } from './message.ts'
import { renameHeader } from './rename-header.ts'

/** Options of a neutral provider, for a compatible service. */
export interface NeutralOptions<Name extends string = string> {
  /** The path segment and the first part of every event's name. @default the name of the neutral provider */
  readonly name?: Name
  /** The header that carries the signature. @default the header of the neutral provider */
  readonly header?: string
}

/** A kind of a neutral provider. */
export interface Kind<Schema extends DataSchema = DataSchema> {
  /** The kinds of the service that become this kind. */
  readonly from: readonly string[]
  readonly data: Schema
  /** Returns the facts of an event that differ from those of the service. The data are not validated yet. */
  facts?(data: z.output<Schema>): Partial<EventFacts>
}

export const kind = <Schema extends DataSchema>(
  from: readonly string[],
  data: Schema,
  facts?: (data: z.output<Schema>) => Partial<EventFacts>,
): Kind<Schema> => ({ from, data, ...(facts && { facts }) })

type Kinds = Readonly<Record<string, Kind>>

/** The schemas of the data by kind. */
export type EventsOf<Mapped extends Kinds> = { readonly [Name in keyof Mapped]: Mapped[Name]['data'] }

/** An event of the service, before its conversion. */
export type ServiceEvent = Omit<PassedEvent, 'unchanged' | 'unlisted'>

/** A neutral provider in terms of a service, whose signature, parser, handshake and identity it has. */
export interface Mapping<Mapped extends Kinds, Name extends string> extends Required<NeutralOptions<Name>> {
  readonly kinds: Mapped
  readonly messages: Messages<EventsOf<Mapped>>
  /** Finds the events of a delivery, with the values that the fields read. @default the events of the service */
  readonly read?: (delivery: VerifiedDelivery) => readonly ServiceEvent[]
  /** @default the parser of the service */
  readonly parse?: Service['parse']
  readonly queueable?: readonly (keyof Mapped & string)[]
}

/** Creates a provider with few kinds, each with a schema, from the events of a service. Other events are ignored. */
export function createNeutral<const Mapped extends Kinds, const Name extends string>(
  service: Service,
  mapping: Mapping<Mapped, Name>,
): Provider<EventsOf<Mapped>, Name> {
  type Events = EventsOf<Mapped>
  const { kinds, messages, header, parse = service.parse } = mapping
  const { read = (delivery: VerifiedDelivery) => service.normalize(delivery) } = mapping
  const events = Object.fromEntries(Object.entries(kinds).map(([name, { data }]) => [name, data])) as Events &
    JsonEvents<Events>
  const targets = new Map(
    Object.entries(kinds).flatMap(([name, one]) => one.from.map((own) => [own, { name, ...one }])),
  )

  const convert = ({
    kind: own,
    data: payload,
    ...found
  }: ServiceEvent): readonly NormalizedEvent<Events>[] => {
    const target = targets.get(own)
    if (target === undefined) return []
    const data = readData(target.data, payload)
    return [{ ...found, ...target.facts?.(data), kind: target.name, data }]
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- a service has no kinds
  const { service: declaration, queueable, ...inherited } = service
  return defineProvider<Events, Name>({
    ...inherited,
    name: mapping.name,
    signature: renameHeader(service.signature, header),
    parse,
    events,
    queueable: mapping.queueable ?? [],
    normalize: (delivery) => read(delivery).flatMap(convert),
    readKind: (delivery) => read(delivery).find((event) => event.kind !== 'unknown')?.kind,
    notify: createNotify(events, messages),
  })
}
