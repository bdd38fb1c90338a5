import { getExact } from '../parsers/large-integers.ts'
import type { VerifiedDelivery } from '../ports/delivery.ts'
import { createIdentify } from './identify.ts'
import { findKind } from '@sallyport/internal/kind'
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
  const payload = getExact(delivery.payload)
  const exact = { ...delivery, payload }
  const found = locateServiceEvents(payload, service)
  const data = payload === delivery.payload ? found : locateServiceEvents(delivery.payload, service)
  const identify = createIdentify(service, exact)
  return found.map((located, index) => {
    const event = readEvent(service, located, exact, find)
    return { ...event, ...(event.key === undefined && identify(located)), data: data[index]?.event }
  })
}

/**
 * Finds the events in the lists of a payload. Without the lists, the payload is one event. An element without the lists below it
 * is one event, too: an entry of another form is not lost beside the others.
 */
export function locateServiceEvents(
  payload: unknown,
  { events = [] }: Pick<ServiceDeclaration, 'events'>,
): readonly Located[] {
  const whole = { event: payload, parents: [] }
  const found = [...groupByList([events].flat())].map(([list, inner]) =>
    locateEvents(whole, list)?.flatMap((element) => locateInner(element, inner)),
  )
  return found.every((one) => one === undefined) ? [whole] : found.flatMap((one) => one ?? [])
}

/** Groups paths by the path to their first list, as the paths from one of its elements. */
function groupByList(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const names = path.split('.')
    const end = names.includes('*') ? names.indexOf('*') + 1 : names.length
    const list = names.slice(0, end).join('.')
    groups.set(list, [...(groups.get(list) ?? []), names.slice(end).join('.')])
  }
  return groups
}

function locateInner(element: Located, paths: readonly string[]): readonly Located[] {
  if (paths.includes('')) return [element]
  const found = paths.map((path) => locateEvents(element, path))
  return found.every((one) => one === undefined) ? [element] : found.flatMap((one) => one ?? [])
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
