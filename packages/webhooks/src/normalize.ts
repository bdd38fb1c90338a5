import { sha256Hex } from './crypto/crypto.ts'
import { isSallyportError } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { VerifiedDelivery } from './delivery.ts'
import type { EventSource, InternalEvent } from './event.ts'
import { idempotencyKey, isPortable } from './idempotency-key.ts'
import { letGo } from './maybe-promise.ts'
import { parseJson } from './parse-json.ts'
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
    events.push(await toEvent({ ...one, data: await validated(provider, one) }, index, delivery, source))
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

async function validated(provider: AnyProvider, { kind, data }: NormalizedEvent): Promise<unknown> {
  const schema = Object.hasOwn(provider.events, kind) ? provider.events[kind] : undefined
  if (schema === undefined) throw new TypeError(`${provider.name} does not declare the kind "${kind}"`)
  const checked = schema['~standard'].validate(data)
  const result = checked instanceof Promise ? await checked : checked
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

async function toEvent(
  found: NormalizedEvent,
  index: number,
  delivery: VerifiedDelivery,
  source: EventSource,
): Promise<InternalEvent> {
  const { kind, key = [], subject, occurredAt = delivery.receivedAt, data } = found
  const { provider } = source
  if (!isTime(occurredAt)) throw new TypeError(`The time of ${kind} is not in milliseconds since the epoch`)
  if (typeof subject !== 'string') throw new TypeError(`The subject of ${kind} is not a text`)
  // What is missing reads the same in every delivery: all would be taken for one.
  if (!key.every(isKeyPart)) throw new TypeError(`A part of the key of ${kind} is neither text nor a number`)
  const id = key.length > 0 ? await keyOf(provider, kind, key) : await hashKey(provider, delivery.body, index)
  return { id, name: `${provider}/${kind}`, subject, ts: occurredAt, data, source }
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

async function keyOf(provider: string, kind: string, parts: readonly (string | number)[]): Promise<string> {
  const key = idempotencyKey(provider, kind, parts)
  return isPortable(key)
    ? key
    : idempotencyKey(provider, kind, ['sha256', await sha256Hex(encoder.encode(key))])
}

/** The key of signed bytes, and of a further event in them by its place. */
export async function hashKey(provider: string, body: Uint8Array, index = 0): Promise<string> {
  const key = `${provider}:sha256:${await sha256Hex(body)}`
  return index === 0 ? key : `${key}:${index}`
}
