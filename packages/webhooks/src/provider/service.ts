import { getExact } from '../gateway/large-integers.ts'
import type { VerifiedDelivery } from '../ports/delivery.ts'
import { findKind } from './kind.ts'
import { createListing, type Listing } from './listed-names.ts'
import { defineProvider, getTrust, type AnyProvider, type PassedEvent, type Provider } from './provider.ts'
import { locateEvents, readText, readValue, toTime, type Located, type ValueSource } from './values.ts'

/** Where a service writes the facts of an event. */
export interface ServiceDeclaration {
  /**
   * The name of the event, in parts that dots join. Missing parts are omitted; a delivery without the first part is
   * quarantined. A run of characters other than letters, digits, `_` and `-` becomes a dot: `orders/create` is the kind
   * `orders.create`.
   */
  readonly kind: ValueSource | readonly ValueSource[]
  /**
   * The signed parts that identify the event among all events of its kind, and that a redelivery repeats. An event
   * without one of the parts has the hash of the signed body as its id.
   *
   * @default the hash of the signed body
   */
  readonly id?: ValueSource | readonly ValueSource[]
  /**
   * Paths in the event that differ between two attempts, such as `meta.attempt`: the hash omits them.
   *
   * @default []
   */
  readonly ignore?: readonly string[]
  /**
   * Makes each delivery a new event, for a service that sends equal bodies for different changes. A redelivery is a new
   * event, too.
   *
   * @default false
   */
  readonly distinct?: boolean
  /** The entity of the event, in parts that slashes join. @default the parts of the id, otherwise the kind */
  readonly subject?: ValueSource | readonly ValueSource[]
  /**
   * The time of the event: a date as text, or a number of seconds, milliseconds, microseconds or nanoseconds.
   *
   * @default the time of receipt
   */
  readonly time?: ValueSource
  /**
   * The lists of events in a delivery: paths such as `events.*` or `entry.*.changes.*`, where `*` stands for each element.
   * A delivery in which no path matches is quarantined.
   *
   * @default the payload is one event
   */
  readonly events?: string | readonly string[]
  /** Further paths that a fresh sample sets to the present time, such as a signed time in the body. @default [] */
  readonly fresh?: readonly string[]
}

/** Types of payloads by kind. */
export type Payloads = Readonly<Record<string, unknown>>

/** A provider that hands on each event of a service with its payload unchanged. */
export interface Service<Name extends string = string> extends Provider<NoEvents, Name, Payloads> {
  /** Where the service writes the facts of an event, for documentation and samples. */
  readonly service: ServiceDeclaration
  normalize(delivery: VerifiedDelivery): readonly PassedEvent[]
}

/** No kinds with schemas. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an empty map: a record would have every key
export type NoEvents = {}

export interface ServiceOptions<Name extends string = string>
  extends
    ServiceDeclaration,
    Omit<
      Provider<NoEvents, Name>,
      'events' | 'normalize' | 'notify' | 'payloads' | 'queueable' | 'readKind'
    > {
  /**
   * Compares the kind in an unsigned header with the signed body. A delivery for which it returns false is quarantined.
   */
  readonly agrees?: (delivery: VerifiedDelivery) => boolean
  /**
   * The names that the service writes into the unsigned header that begins the kind. An event with another name is accepted,
   * but its kind is not a part of its id: copies of one body under invented names are duplicates of the first one. A listed
   * name in another spelling, such as `orders.create` for `orders/create`, quarantines the delivery.
   *
   * @default every kind is a part of the id
   */
  readonly names?: readonly string[]
  /** The kinds that may use the shared queue. @default [] */
  readonly queueable?: readonly string[]
}

/**
 * Declares a service whose events are handed on unchanged: the kind is the service's own name of the event, and the data
 * are its payload.
 *
 * @throws TypeError for a malformed name, a `bodyLimit` that is not positive, an id in an unsigned header of a signed
 *   delivery, and an id together with `distinct` or `ignore`
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
  const { kind, id, ignore, distinct, subject, time, events, fresh, ...others } = options
  const { agrees, names, queueable, ...provider } = others
  const declaration = { kind, id, ignore, distinct, subject, time, events, fresh }
  const service = Object.fromEntries(
    Object.entries(declaration).filter(([, value]) => value !== undefined),
  ) as unknown as ServiceDeclaration
  checkIdentity(options)
  const reading = { ...service, find: createListing(names, list(kind).length) }

  const normalize = (delivery: VerifiedDelivery): readonly PassedEvent[] => {
    if (agrees && !agrees(delivery))
      throw createIssue('The kind in the header does not belong to the body', list(kind)[0], 'custom')
    const payload = getExact(delivery.payload)
    const found = locate(payload, events)
    if (payload === delivery.payload)
      return found.map((located) => readEvent(reading, located, delivery, located.event))
    const data = locate(delivery.payload, events)
    return found.map((located, index) =>
      readEvent(reading, located, { ...delivery, payload }, data[index]?.event),
    )
  }
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
  const { name, id, ignore, distinct, signature } = options
  if (id !== undefined && (distinct || ignore)) {
    throw new TypeError(`${name} has an id: omit "distinct" and "ignore"`)
  }
  const signed = [signature.signedHeaders ?? [], signature.signedIds ?? []].flat()
  for (const source of list(id)) {
    const header = typeof source === 'object' ? source.header.toLowerCase() : undefined
    if (header === undefined || signed.includes(header)) continue
    // Without a signature, a header identifies a delivery as well as the body does.
    if (['signed', 'partial'].includes(getTrust(options))) {
      throw new TypeError(`The header ${header} of ${name} is not signed and cannot be an id`)
    }
  }
}

const list = <T extends ValueSource>(sources: T | readonly T[] | undefined): readonly T[] =>
  sources === undefined ? [] : Array.isArray(sources) ? (sources as readonly T[]) : [sources as T]

function locate(payload: unknown, events: ServiceDeclaration['events']): readonly Located[] {
  if (events === undefined) return [{ event: payload, parents: [] }]
  const found = list(events).map((path) => locateEvents(payload, path))
  if (found.every((one) => one === undefined))
    throw createIssue('The delivery has no list of events', list(events)[0])
  return found.flatMap((one) => one ?? [])
}

interface Reading extends ServiceDeclaration {
  /** Finds the first part of the kind in the list of names. */
  readonly find: (name: string) => Listing
}

function readEvent(
  { kind: kindSource, find, id, ignore, distinct, subject, time }: Reading,
  located: Located,
  delivery: VerifiedDelivery,
  data: unknown,
): PassedEvent {
  const read = (source: ValueSource) => readText(source, located, delivery)
  const [first, ...others] = list(kindSource).map(read)
  const name = [first ?? '', ...others.filter((part) => part !== undefined)].join('.')
  const kind = first === undefined ? undefined : findKind(name)
  if (first === undefined || kind === undefined)
    throw createIssue('The delivery has no readable kind', list(kindSource)[0])
  const listing = find(first)
  if (listing === 'altered')
    throw createIssue('The service does not write this name', list(kindSource)[0], 'custom')

  const parts = list(id).map(read)
  const key = parts.every((part) => part !== undefined) ? parts : []
  const about = list(subject)
    .map(read)
    .filter((part) => part !== undefined)
  const occurredAt = time === undefined ? undefined : toTime(readValue(time, located, delivery))
  return {
    kind,
    ...(key.length > 0 && { key }),
    ...(ignore && { content: JSON.stringify(without(located.event, ignore)) }),
    ...(distinct && { distinct }),
    subject: about.join('/') || key.join('/') || kind,
    ...(occurredAt !== undefined && { occurredAt }),
    data,
    unchanged: true,
    ...(listing === 'unlisted' && { unlisted: true }),
  }
}

/** Creates an error whose `cause` has the path and a code of the wrong value, like the issues of a schema. */
function createIssue(message: string, source: ValueSource | undefined, code = 'invalid_type'): TypeError {
  const path =
    typeof source === 'string'
      ? source.split(/[./]+/).filter((part) => part !== '')
      : typeof source === 'object'
        ? ['headers', source.header.replaceAll('-', '_')]
        : []
  return new TypeError(message, { cause: [{ path, code }] })
}

/** Copies a value without some of its members. */
function without(value: unknown, paths: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const copy: Record<string, unknown> = { ...value }
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.')
    if (!Object.hasOwn(copy, name)) continue
    if (rest.length === 0) Reflect.deleteProperty(copy, name)
    else copy[name] = without(copy[name], [rest.join('.')])
  }
  return copy
}
