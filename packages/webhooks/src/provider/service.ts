import { contentHeader } from './idempotency-key.ts'
import type { VerifiedDelivery } from '../ports/delivery.ts'
import { createListing } from './listed-names.ts'
import { defineProvider, getTrust, type AnyProvider, type PassedEvent, type Provider } from './provider.ts'
import { readEvents } from './service-events.ts'
import { listSources, type ValueSource } from './values.ts'

/** Where a service writes the facts of an event. */
export interface ServiceDeclaration {
  /**
   * The name of the event, in parts that dots join. Missing parts are omitted; an event without the first part has the kind
   * `unknown`. A run of characters other than letters, digits, `_` and `-` becomes a dot: `orders/create` is the kind
   * `orders.create`.
   */
  readonly kind: ValueSource | readonly ValueSource[]
  /**
   * The signed parts that the service documents as unique for each event, among the events of all accounts that share an
   * address. A redelivery repeats them. An event without one of the parts has the default id.
   *
   * @default the kind and the hash of the signed body, with the place of the event in a list
   */
  readonly id?: ValueSource | readonly ValueSource[]
  /**
   * Paths that differ between two attempts: the hash omits them. A path such as `meta.attempt` begins at the event, and
   * `/sentAt` at the payload.
   *
   * @default []
   */
  readonly ignore?: readonly string[]
  /**
   * Whether each delivery of an event is a new event, because the service sends equal bodies for different changes. A
   * redelivery is a new event, too, unless `deliveryId` tells it.
   *
   * @default false
   */
  readonly distinct?: boolean | ((event: unknown) => boolean)
  /**
   * The value that all attempts of a delivery repeat, for events that `distinct` makes new: deliveries with the value and the
   * same signed content are one event. The value can be in an unsigned header, because it only merges equal content.
   *
   * @default each attempt is a new event
   */
  readonly deliveryId?: ValueSource
  /** The entity of the event, in parts that slashes join. @default the parts of the id, otherwise the kind */
  readonly subject?: ValueSource | readonly ValueSource[]
  /**
   * The time of the event: a date as text, or a number of seconds, milliseconds, microseconds or nanoseconds. The first source
   * with a time counts.
   *
   * @default the time of receipt
   */
  readonly time?: ValueSource | readonly ValueSource[]
  /**
   * The lists of events in a delivery: paths such as `events.*` or `entry.*.changes.*`, where `*` stands for each element.
   * A delivery in which no path matches is one event, and so is an element of the outer list in which none matches.
   *
   * @default the payload is one event
   */
  readonly events?: string | readonly string[]
  /**
   * Whether a retry can put an event into a delivery with other events: the content of the event identifies it then, without the
   * rest of the delivery.
   *
   * @default false
   */
  readonly regroups?: boolean
  /** Further paths that a fresh sample sets to the present time, such as a signed time in the body. @default [] */
  readonly fresh?: readonly string[]
}

/** Types of payloads by kind. */
export type Payloads = Readonly<Record<string, unknown>>

/** A provider that passes each event of a service through with its payload unchanged. */
export interface Service<Name extends string = string> extends Provider<NoEvents, Name, Payloads> {
  /** Where the service writes the facts of an event, for documentation and samples. */
  readonly service: ServiceDeclaration
  normalize(delivery: VerifiedDelivery): readonly PassedEvent[]
}

/** No kinds with schemas. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an empty map: a record would have every key
type NoEvents = {}

export interface ServiceOptions<Name extends string = string>
  extends
    ServiceDeclaration,
    Omit<
      Provider<NoEvents, Name>,
      'events' | 'normalize' | 'notify' | 'payloads' | 'queueable' | 'readKind'
    > {
  /**
   * Compares the kind in an unsigned header with the signed body. The events of a delivery for which it returns false have the
   * kind `unknown`.
   */
  readonly agrees?: (delivery: VerifiedDelivery) => boolean
  /**
   * The names that the service writes into the unsigned header that begins the kind. An event with another name is accepted,
   * but its kind is not a part of its id: copies of one body under invented names are duplicates of the first one. A listed
   * name in another spelling, such as `orders.create` for `orders/create`, gives the kind `unknown`.
   *
   * @default every kind is a part of the id
   */
  readonly names?: readonly string[]
  /** The kinds that may use the shared queue. @default [] */
  readonly queueable?: readonly string[]
}

/**
 * Declares a service whose events pass through unchanged: the kind is the service's own name of the event, and the data
 * are its payload. An event whose kind cannot be read, or does not agree with the body, has the kind `unknown`.
 *
 * @throws TypeError for a malformed name, a `bodyLimit` that is not positive, an id in an unsigned header of a signed
 *   delivery, an id together with `distinct`, and a `deliveryId` without `distinct`
 *
 * @example
 * ```ts
 * import { defineService, hmac } from '@sallyport/webhooks'
 *
 * export const doorbell = defineService({
 *   name: 'doorbell',
 *   signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
 *   kind: ['type', 'action'],
 *   id: 'id',
 *   subject: 'door.id',
 *   time: 'created_at',
 * })
 * ```
 */
export function defineService<const Name extends string>(options: ServiceOptions<Name>): Service<Name> {
  const { kind, id, ignore, distinct, deliveryId, subject, time, events, regroups, fresh, ...others } =
    options
  const { agrees, names, queueable, ...provider } = others
  const declaration = { kind, id, ignore, distinct, deliveryId, subject, time, events, regroups, fresh }
  const service = Object.fromEntries(
    Object.entries(declaration).filter(([, value]) => value !== undefined),
  ) as unknown as ServiceDeclaration
  checkIdentity(options)
  const find = createListing(names, listSources(kind).length)

  const normalize = (delivery: VerifiedDelivery): readonly PassedEvent[] =>
    readEvents(service, delivery, agrees?.(delivery) === false ? () => 'altered' : find)
  passingNormalizers.add(normalize)
  const defined: Provider<NoEvents, Name> = defineProvider<NoEvents, Name>({
    ...provider,
    name: options.name,
    events: {},
    normalize,
  })
  return Object.freeze({ ...defined, service, normalize, ...(queueable && { queueable }) }) as Service<Name>
}

const passingNormalizers = new WeakSet<AnyProvider['normalize']>()

/** Reports whether the events of a provider have the payload, or parts of it, unchanged. A schema may change it in place. */
export const passesPayload = ({ normalize, events }: Pick<AnyProvider, 'normalize' | 'events'>): boolean =>
  passingNormalizers.has(normalize) && Object.keys(events).length === 0

function checkIdentity(options: ServiceOptions): void {
  const { name, id, ignore, distinct, deliveryId, events, regroups, signature } = options
  if (id !== undefined && distinct) throw new TypeError(`${name} has an id: omit "distinct"`)
  if (deliveryId !== undefined && !distinct) throw new TypeError(`${name} needs "distinct" for "deliveryId"`)
  if (regroups && events === undefined) throw new TypeError(`${name} needs "events" for "regroups"`)
  if ((ignore ?? regroups) && signature.signedIds?.includes(contentHeader)) {
    throw new TypeError(`The signed content identifies the events of ${name}: omit "ignore" and "regroups"`)
  }
  const signed = [signature.signedHeaders ?? [], signature.signedIds ?? []].flat()
  for (const source of listSources(id)) {
    const header = typeof source === 'object' ? source.header.toLowerCase() : undefined
    if (header === undefined || signed.includes(header)) continue
    // Without a signature, a header identifies a delivery as well as the body does.
    if (['signed', 'partial'].includes(getTrust(options))) {
      throw new TypeError(`The header ${header} of ${name} is not signed and cannot be an id`)
    }
  }
}
