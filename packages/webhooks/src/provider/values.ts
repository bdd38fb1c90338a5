import type { VerifiedDelivery } from '../ports/delivery.ts'

/**
 * Where a service writes a value:
 *
 * - `'data.object.id'`: a dotted path into the event. `'../id'` begins at the object that contains the event, `'/id'` at
 *   the payload: both are for deliveries of several events.
 * - `{ header: 'x-github-event' }`: a header. Few services sign headers.
 * - a function of the event and its delivery.
 */
export type ValueSource =
  string | { readonly header: string } | ((event: unknown, delivery: VerifiedDelivery) => unknown)

/** One event of a delivery, with the objects that contain it, outermost first. */
export interface Located {
  readonly event: unknown
  readonly parents: readonly unknown[]
}

/** Returns one source, or none, as a list. */
export const listSources = (sources: ValueSource | readonly ValueSource[] = []): readonly ValueSource[] =>
  Array.isArray(sources) ? (sources as readonly ValueSource[]) : [sources as ValueSource]

/** Reads a value; undefined when the delivery does not have it. */
export function readValue(
  source: ValueSource,
  { event, parents }: Located,
  delivery: VerifiedDelivery,
): unknown {
  if (typeof source === 'function') return source(event, delivery)
  if (typeof source === 'object') return delivery.headers.get(source.header) ?? undefined
  let from = event
  let path = source
  if (path.startsWith('/')) {
    from = delivery.payload
    path = path.slice(1)
  }
  for (let up = 1; path.startsWith('../'); up += 1) {
    from = parents.at(-up)
    path = path.slice(3)
  }
  return path === '' ? from : path.split('.').reduce(readMember, from)
}

function readMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

/** Reads a text that is not empty, or a number or flag as text. */
export function readText(
  source: ValueSource,
  located: Located,
  delivery: VerifiedDelivery,
): string | undefined {
  const value = readValue(source, located, delivery)
  if (typeof value === 'string') return value === '' ? undefined : value
  // A larger number has an exponent or a fraction, or its parser has rounded it.
  const isExact = typeof value === 'number' && Math.abs(value) < 2 ** 53
  return isExact || typeof value === 'boolean' ? String(value) : undefined
}

/**
 * Finds events below a value by a path such as `entry.*.changes.*`, in which `*` stands for each element of a list.
 *
 * @returns undefined when the value has another shape
 */
export function locateEvents(value: Located, path: string): readonly Located[] | undefined {
  let found: Located[] = [value]
  for (const name of path.split('.')) {
    const next: Located[] = []
    for (const { event, parents } of found) {
      if (name !== '*') {
        const member = readMember(event, name)
        if (member === undefined) continue
        next.push({ event: member, parents: [...parents, event] })
      } else {
        if (!Array.isArray(event)) return undefined
        for (const one of event as unknown[]) next.push({ event: one, parents })
      }
    }
    // An empty list has no events; a missing member is another shape.
    if (found.length > 0 && next.length === 0 && name !== '*') return undefined
    found = next
  }
  return found
}

/** A zone, without which JavaScript reads a time as local. */
const zone = /(?:Z|[+-]\d\d:?\d\d|[A-Z]{3,4})$/i

const earliest = Date.UTC(1990, 0)
const latest = Date.UTC(2200, 0)

/**
 * Converts a time of a service to milliseconds since the epoch: a date as text, UTC unless it has a zone, or a number of
 * seconds, milliseconds, microseconds or nanoseconds, which their sizes tell apart. Undefined for a time before 1990 and
 * after 2199, and for any other value.
 */
export function toTime(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  let time: number
  if (typeof number === 'number') {
    const unit = number < 1e11 ? 1000 : number < 1e14 ? 1 : number < 1e17 ? 1e-3 : 1e-6
    time = Math.floor(number * unit)
  } else if (typeof value === 'string') {
    time = Date.parse(zone.test(value) || !value.includes(':') ? value : `${value}Z`)
  } else return undefined
  return time >= earliest && time <= latest ? time : undefined
}
