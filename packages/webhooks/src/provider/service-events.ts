import { getExact } from '../gateway/large-integers.ts'
import type { VerifiedDelivery } from '../ports/delivery.ts'
import { findKind } from './kind.ts'
import type { Listing } from './listed-names.ts'
import type { PassedEvent } from './provider.ts'
import type { ServiceDeclaration } from './service.ts'
import {
  listSources,
  locateEvents,
  readText,
  readValue,
  toTime,
  type Located,
  type ValueSource,
} from './values.ts'

/** The kind of an event whose name cannot be read, or does not agree with the body. */
const unknownKind = 'unknown'

/**
 * Reads the events of a delivery by the declaration of its service.
 *
 * @param find finds the first part of a kind in the list of names
 */
export function readEvents(
  service: ServiceDeclaration,
  delivery: VerifiedDelivery,
  find: (name: string) => Listing,
): readonly PassedEvent[] {
  // An id has all digits of a large integer, also where the data have the nearest number.
  const exact = { ...delivery, payload: getExact(delivery.payload) }
  const data = locateServiceEvents(delivery.payload, service)
  let content: string | undefined
  const getContent = () => (content ??= readContent(service, exact))
  return locateServiceEvents(exact.payload, service).map((located, index) => ({
    ...readEvent(service, located, exact, find),
    ...identifyContent(service, located, exact, getContent),
    data: data[index]?.event,
  }))
}

/** Finds the events in the lists of a payload. Without the lists, the payload is one event. */
export function locateServiceEvents(
  payload: unknown,
  { events }: Pick<ServiceDeclaration, 'events'>,
): readonly Located[] {
  const whole = [{ event: payload, parents: [] }]
  if (events === undefined) return whole
  const found = [events].flat().map((path) => locateEvents(payload, path))
  return found.every((one) => one === undefined) ? whole : found.flatMap((one) => one ?? [])
}

function readEvent(
  service: ServiceDeclaration,
  located: Located,
  delivery: VerifiedDelivery,
  find: (name: string) => Listing,
): Omit<PassedEvent, 'data'> {
  const read = (source: ValueSource) => readText(source, located, delivery)
  const [first, ...others] = listSources(service.kind).map(read)
  const listing = first === undefined ? 'altered' : find(first)
  const name = [first ?? '', ...others.filter((part) => part !== undefined)].join('.')
  const kind = (listing === 'altered' ? undefined : findKind(name)) ?? unknownKind

  const parts = listSources(service.id).map(read)
  const key = parts.every((part) => part !== undefined) ? parts : []
  const subject = listSources(service.subject)
    .map(read)
    .filter((part) => part !== undefined)
  const occurredAt = listSources(service.time)
    .map((source) => toTime(readValue(source, located, delivery)))
    .find((time) => time !== undefined)
  return {
    kind,
    ...(key.length > 0 && { key }),
    subject: subject.join('/') || key.join('/') || kind,
    ...(occurredAt !== undefined && { occurredAt }),
    unchanged: true,
    ...((listing === 'unlisted' || kind === unknownKind) && { unlisted: true }),
  }
}

/** Determines the identity of an event without an id. */
function identifyContent(
  { ignore, distinct = false, deliveryId }: ServiceDeclaration,
  located: Located,
  delivery: VerifiedDelivery,
  getContent: () => string,
): Pick<PassedEvent, 'distinct' | 'content'> {
  const isDistinct = typeof distinct === 'function' ? distinct(located.event) : distinct
  if (!isDistinct) return ignore ? { content: getContent() } : {}
  const value = deliveryId && readText(deliveryId, located, delivery)
  return value === undefined ? { distinct: true } : { content: JSON.stringify([value, getContent()]) }
}

/** Reads the signed content of a delivery without the fields that differ between attempts. */
function readContent(service: ServiceDeclaration, { body, payload }: VerifiedDelivery): string {
  if (service.ignore === undefined) return new TextDecoder().decode(body)
  return JSON.stringify(listIgnored(service).reduce((rest, path) => without(rest, path.split('.')), payload))
}

/** Lists the paths from the payload to the ignored fields, where `*` stands for each element of a list. */
export const listIgnored = ({ ignore = [], events = '' }: ServiceDeclaration): readonly string[] =>
  ignore.flatMap((path) =>
    path.startsWith('/') ? path.slice(1) : [events].flat().map((list) => (list ? `${list}.${path}` : path)),
  )

/** Copies a value without a member. The name `*` stands for each element of a list. */
function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return name === '*' ? (value as unknown[]).map((element) => without(element, rest)) : value
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  const copy: Record<string, unknown> = { ...value }
  if (rest.length === 0) Reflect.deleteProperty(copy, name)
  else copy[name] = without(copy[name], rest)
  return copy
}
