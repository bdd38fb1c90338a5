import { sha256Hex } from './crypto/crypto.ts'
import { isSallyportError } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { VerifiedDelivery } from './delivery.ts'
import type { EventSource, InternalEvent } from './event.ts'
import { idempotencyKey, isPortable } from './idempotency-key.ts'
import { letGo, whenReady } from './maybe-promise.ts'
import { parseJson } from './parse-json.ts'
import type { MaybePromise } from './ports.ts'
import type { AnyProvider, NormalizedEvent } from './provider.ts'
import { invalidJson } from './refusals.ts'

const encoder = new TextEncoder()

/**
 * Reads the signed bytes as the provider sends them.
 *
 * @throws SallyportError `INVALID_JSON` (400), or what the provider's own parser says
 */
export function parse(provider: AnyProvider, body: Uint8Array): unknown {
  if (provider.parse === undefined) return parseJson(body)
  try {
    return provider.parse(body)
  } catch (error) {
    throw isSallyportError(error) ? error : invalidJson('The body is not what this provider sends')
  }
}

/**
 * The internal events in a delivery; none when it is of a kind that nobody asked for.
 *
 * @throws whatever a normalizer throws about a delivery that it should be able to read, and `TypeError` when what it
 * returns is not what the provider declares, with the code `ASYNC_NORMALIZER` when it is a promise
 */
export async function normalize(
  provider: AnyProvider,
  delivery: VerifiedDelivery,
  deliveryId: string,
): Promise<readonly InternalEvent[]> {
  const source: EventSource = { provider: provider.name, deliveryId, receivedAt: delivery.receivedAt }

  const manual = manualTest(provider, delivery.payload)
  if (manual)
    return [await toEvent({ ...manual, subject: 'manual' }, 0, delivery, { ...source, manual: true })]

  const found = provider.normalize(delivery)
  const several = Array.isArray(found) ? (found as readonly NormalizedEvent[]) : [found as NormalizedEvent]
  if (several.map(letGo).includes(true)) throw asynchronous(provider)
  const events: InternalEvent[] = []
  for (const [index, one] of several.entries()) {
    const checked = validate(provider, one)
    const data = valueOf(one, checked instanceof Promise ? await checked : checked)
    const event = toEvent({ ...one, data }, index, delivery, source)
    events.push(event instanceof Promise ? await event : event)
  }
  return events
}

/** Somebody's own test, told from a service's payload by a `type` that is one of the provider's internal kinds. */
function manualTest(provider: AnyProvider, payload: unknown): { kind: string; data: unknown } | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const { type, payload: data } = payload as { type?: unknown; payload?: unknown }
  if (typeof type !== 'string' || !Object.hasOwn(provider.events, type)) return undefined
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? { kind: type, data } : undefined
}

function asynchronous({ name }: AnyProvider): Error {
  const error = new TypeError(`The normalizer of ${name} is async: it has to return its events, no promise`)
  return Object.assign(error, { code: 'ASYNC_NORMALIZER' })
}

function validate(provider: AnyProvider, { kind, data }: NormalizedEvent) {
  const schema = Object.hasOwn(provider.events, kind) ? provider.events[kind] : undefined
  if (schema === undefined) throw new TypeError(`${provider.name} does not declare the kind "${kind}"`)
  return schema['~standard'].validate(data)
}

function valueOf({ kind }: NormalizedEvent, result: StandardSchemaV1.Result<unknown>): unknown {
  if (result.issues)
    throw new TypeError(`The data of ${kind} does not fit its schema: ${pathsOf(result.issues)}`)
  return result.value
}

/** Where the problems are; what they are may quote the data. */
function pathsOf(issues: readonly StandardSchemaV1.Issue[]): string {
  const paths = issues.map(({ path = [] }) =>
    path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
  )
  return [...new Set(paths)].slice(0, 10).join(', ')
}

function toEvent(
  found: NormalizedEvent,
  index: number,
  delivery: VerifiedDelivery,
  source: EventSource,
): MaybePromise<InternalEvent> {
  const { kind, key = [], subject, occurredAt = delivery.receivedAt, data } = found
  const { provider } = source
  if (!isTime(occurredAt)) throw new TypeError(`The time of ${kind} is not in milliseconds since the epoch`)
  if (typeof subject !== 'string') throw new TypeError(`The subject of ${kind} is not a text`)
  // What is missing reads the same in every delivery: all would be taken for one.
  if (!key.every(isKeyPart)) throw new TypeError(`A part of the key of ${kind} is neither text nor a number`)
  return whenReady(
    key.length > 0 ? keyOf(provider, kind, key) : hashKey(provider, delivery.body, index),
    (id): InternalEvent => ({ id, name: `${provider}/${kind}`, subject, ts: occurredAt, data, source }),
  )
}

/** The years of RFC 3339, 0000 to 9999. */
const years = [Date.parse('0000-01-01T00:00:00Z'), Date.UTC(10_000, 0)] as const

const isTime = (time: unknown): boolean => typeof time === 'number' && time >= years[0] && time < years[1]

const isKeyPart = (part: unknown): boolean => typeof part === 'string' || Number.isFinite(part)

/** Whether events can be written down: types do not keep a big integer or a circle out of their data. */
export function areJson(events: readonly InternalEvent[]): boolean {
  try {
    JSON.stringify(events)
    return true
  } catch {
    return false
  }
}

function keyOf(provider: string, kind: string, parts: readonly (string | number)[]): MaybePromise<string> {
  const key = idempotencyKey(provider, kind, parts)
  if (isPortable(key)) return key
  return whenReady(sha256Hex(encoder.encode(key)), (hash) => idempotencyKey(provider, kind, ['sha256', hash]))
}

/** The key of signed bytes, and of a further event in them by its place. */
export function hashKey(provider: string, body: Uint8Array, index = 0): MaybePromise<string> {
  return whenReady(sha256Hex(body), (hash) => {
    const key = `${provider}:sha256:${hash}`
    return index === 0 ? key : `${key}:${index}`
  })
}
