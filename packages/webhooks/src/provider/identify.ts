import type { VerifiedDelivery } from '../ports/delivery.ts'
import type { PassedEvent } from './provider.ts'
import type { ServiceDeclaration } from './service.ts'
import { readText, type Located } from './values.ts'

type Identity = Pick<PassedEvent, 'content' | 'deliveryId' | 'distinct' | 'place'>

/** Creates a function that determines the identity of an event without an id. */
export function createIdentify(
  service: ServiceDeclaration,
  delivery: VerifiedDelivery,
): (located: Located) => Identity {
  const { distinct = false, deliveryId, regroups } = service
  const readContent = regroups
    ? createElementReader(service)
    : createDeliveryReader(service, delivery.payload)
  return (located) => {
    const isDistinct = typeof distinct === 'function' ? distinct(located.event) : distinct
    if (!isDistinct) return readContent(located)
    const value = deliveryId && readText(deliveryId, located, delivery)
    return value === undefined ? { distinct: true } : { ...readContent(located), deliveryId: value }
  }
}

/** The whole delivery identifies each of its events, with the place of the event. */
function createDeliveryReader(service: ServiceDeclaration, payload: unknown): (located: Located) => Identity {
  if (service.ignore === undefined) return () => ({})
  let content: string | undefined
  return ({ event }) => {
    // A delivery without the list of the paths is an event itself.
    content ??= omit(payload, listIgnored(event === payload ? { ...service, events: '' } : service))
    return { content }
  }
}

/** The event alone identifies itself, with its place among equal events. */
function createElementReader({ ignore = [] }: ServiceDeclaration): (located: Located) => Identity {
  const counts = new Map<string, number>()
  return ({ event }) => {
    const content = omit(event, ignore)
    const place = counts.get(content) ?? 0
    counts.set(content, place + 1)
    return { content, place }
  }
}

/** Lists the paths from the payload to the ignored fields, where `*` stands for each element of a list. */
export const listIgnored = ({ ignore = [], events = '' }: ServiceDeclaration): readonly string[] =>
  ignore.flatMap((path) =>
    path.startsWith('/') ? path.slice(1) : [events].flat().map((list) => (list ? `${list}.${path}` : path)),
  )

/** Writes a value as JSON without the members at some paths. */
const omit = (value: unknown, paths: readonly string[]): string =>
  JSON.stringify(paths.reduce((rest, path) => without(rest, path.split('.')), value))

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
