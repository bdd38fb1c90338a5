import { utf8 } from '../crypto/encoding.ts'
import { parse } from '../gateway/normalize.ts'
import type { Service } from '../provider/service.ts'
import { locateServiceEvents } from '../provider/service-events.ts'
import { listSources, readValue, type Located, type ValueSource } from '../provider/values.ts'
import { plainHeaders, type ProviderSample } from './provider-options.ts'

/** A recorded delivery of a service. */
export interface ServiceSample extends ProviderSample {
  /** The kinds of all events of a delivery with several events. @default the kind */
  readonly kinds?: readonly string[]
  /** Where the delivery comes from: a page, or a file of a repository with its license. */
  readonly source: string
}

/** The values of a new event. */
export interface FreshValues {
  readonly uuid: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Returns the bytes of a sample: a text as it is, another value as JSON. */
export const encodeSampleBody = (body: unknown): Uint8Array =>
  utf8(typeof body === 'string' ? body : JSON.stringify(body))

/**
 * Creates a new event from a recorded delivery: the parts of its id, its signed ids and its times get new values of the
 * same form. A body without such a value gets a member `sample_id`.
 */
export function renewSample(provider: Service, sample: ProviderSample, values: FreshValues): ProviderSample {
  const { service, signature } = provider
  const edit = openSample(provider, sample)
  const renewId = createIds(values.uuid)
  const { deliveryId } = service
  let isNew = false

  // With the id of the recorded delivery, the delivery would be another attempt.
  const renewDelivery = (located: Located): boolean =>
    deliveryId === undefined ||
    typeof deliveryId === 'object' ||
    !edit.has(deliveryId, located) ||
    edit.change(deliveryId, located, renewId)

  const kindSources: readonly unknown[] = listSources(service.kind)
  const idSources = listSources(service.id)
  const timeSources: readonly unknown[] = listSources(service.time)
  for (const located of edit.events) {
    isNew = (isDistinct(service, located) && renewDelivery(located)) || isNew
    const sources = idSources.filter(
      (source) => !timeSources.includes(source) && !kindSources.includes(source),
    )
    for (const source of sources) isNew = edit.change(source, located, renewId) || isNew
    for (const source of [...listSources(service.time), ...(service.fresh ?? [])]) {
      edit.change(source, located, (old) => renewTime(old, values.now))
    }
  }
  const idHeaders = findHeaders(idSources)
  isNew ||= idHeaders.some((name) => Object.hasOwn(sample.headers, name))
  const renewed = [...(signature.signedIds ?? []), ...idHeaders, ...findHeaders(listSources(deliveryId))]
  const headers = Object.fromEntries(
    Object.entries(sample.headers).map(([name, value]) =>
      renewed.includes(name.toLowerCase()) ? [name, String(renewId(value))] : [name, value],
    ),
  )
  return { kind: sample.kind, headers, body: isNew ? edit.body() : edit.mark(values.uuid) }
}

/** Reports whether each delivery of an event is a new event. */
export const isDistinct = (
  { distinct = false }: Service['service'],
  { event }: Pick<Located, 'event'>,
): boolean => (typeof distinct === 'function' ? distinct(event) : distinct)

const findHeaders = (sources: readonly ValueSource[]): readonly string[] =>
  sources.flatMap((source) => (typeof source === 'object' ? source.header.toLowerCase() : []))

/** Sets the times in the body that a signature covers to the present. */
export function presentSample(provider: Service, sample: ProviderSample, now: number): ProviderSample {
  const { fresh = [] } = provider.service
  if (fresh.length === 0) return sample
  const edit = openSample(provider, sample)
  for (const located of edit.events) {
    for (const path of fresh) edit.change(path, located, (old) => renewTime(old, now))
  }
  return { ...sample, body: edit.body() }
}

/** Opens a sample to change the values of its events. */
export function openSample(provider: Service, { headers, body }: ProviderSample) {
  const bytes = encodeSampleBody(body)
  const payload = parse(provider, bytes)
  const delivery = { payload, headers: plainHeaders(headers), body: bytes, receivedAt: 0 }
  const events = locateServiceEvents(payload, provider.service)
  let text = typeof body === 'string' ? body : undefined

  return {
    events,
    /** Reports whether the sample has the value of a source. */
    has: (source: ValueSource, located: Located) => readValue(source, located, delivery) !== undefined,
    /** Replaces the value of a source. Returns whether the body has it. */
    change(source: ValueSource, located: Located, renew: (old: unknown) => unknown): boolean {
      if (typeof source === 'object') return false
      const old = readValue(source, located, delivery)
      if (!['string', 'number', 'boolean'].includes(typeof old)) return false
      const next = renew(old)
      if (next === old) return false
      if (text !== undefined) {
        const before = text
        text = replaceValue(text, String(old), String(next))
        return text !== before
      }
      if (typeof source === 'string') return setValue(source, located, payload, next)
      return replaceMember(payload, old, next)
    },
    body: () => text ?? payload,
    /** Adds a value that makes the body different. */
    mark(uuid: string): unknown {
      if (text !== undefined)
        return text.startsWith('<') ? `${text}<!-- ${uuid} -->` : `${text}&sample_id=${uuid}`
      for (const { event } of events) if (isRecord(event)) event['sample_id'] = uuid
      return payload
    },
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function setValue(path: string, located: Located, payload: unknown, value: unknown): boolean {
  const at = path.lastIndexOf('.') < path.lastIndexOf('/') ? path.lastIndexOf('/') : path.lastIndexOf('.')
  const container = path.slice(0, path[at] === '/' ? at + 1 : Math.max(at, 0))
  const delivery = { payload, headers: plainHeaders({}), body: new Uint8Array(), receivedAt: 0 }
  const holder = readValue(container, located, delivery)
  if (!isRecord(holder)) return false
  holder[path.slice(at + 1)] = value
  return true
}

function replaceMember(value: unknown, old: unknown, next: unknown): boolean {
  if (!isRecord(value)) return false
  let isFound = false
  for (const [name, member] of Object.entries(value)) {
    if (member === old) {
      value[name] = next
      isFound = true
    } else isFound = replaceMember(member, old, next) || isFound
  }
  return isFound
}

/** Replaces a value in a text, plain or percent-encoded, but not inside longer words. */
function replaceValue(text: string, old: string, next: string): string {
  const forms = [...new Set([old, encodeURIComponent(old), encodeURIComponent(old).replaceAll('%20', '+')])]
  return forms.reduce((result, form) => {
    const escaped = form.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
    const replacement = form === old ? next : encodeURIComponent(next)
    return result.replaceAll(
      new RegExp(`(?:(?<!\\w)|(?<=%[\\dA-F]{2}))${escaped}(?!\\w)`, 'g'),
      () => replacement,
    )
  }, text)
}

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Creates a function that returns a new id of the same form for each id, and the same one for the same id. */
function createIds(uuid: string): (old: unknown) => unknown {
  const known = new Map<unknown, unknown>()
  return (old) => {
    if (!known.has(old)) known.set(old, renewId(old, uuid, known.size))
    return known.get(old)
  }
}

function renewId(old: unknown, uuid: string, place: number): unknown {
  const digits = uuid.replaceAll('-', '')
  const start = ((Number.parseInt(digits.slice(0, 4), 16) + place) % 0x10000).toString(16).padStart(4, '0')
  const hex = start + digits.slice(4)
  const number = Number.parseInt(hex.slice(0, 12), 16)
  if (typeof old === 'number') return number
  if (typeof old !== 'string' || old === 'true' || old === 'false') return old
  if (/^\d+$/.test(old)) return String(number)
  if (uuidPattern.test(old)) return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  const [prefix = ''] = /^[A-Za-z]+[_-]/.exec(old) ?? []
  return prefix + hex.slice(0, Math.max(16, old.length - prefix.length))
}

/** Writes a time in the form of another time. */
function renewTime(old: unknown, now: number): unknown {
  const text = String(old)
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const size = Number(text)
    const unit = size < 1e11 ? 1e-3 : size < 1e14 ? 1 : size < 1e17 ? 1e3 : 1e6
    const time = text.includes('.') ? now * unit : Math.floor(now * unit)
    return typeof old === 'number' ? time : String(time)
  }
  if (typeof old !== 'string' || Number.isNaN(Date.parse(old))) return old
  if (!/^\d{4}-\d\d-\d\d[T ]/.test(text)) return new Date(now).toUTCString()
  let time = new Date(now).toISOString()
  if (!text.includes('.')) time = time.replace(/\.\d+/, '')
  if (text[10] === ' ') time = time.replace('T', ' ')
  const [zone = ''] = /(?:Z|[+-]\d\d:?\d\d)$/i.exec(text) ?? []
  return time.replace('Z', /^[+-]/.test(zone) ? zone.replaceAll(/\d/g, '0').replace('-', '+') : zone)
}
