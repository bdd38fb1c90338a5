import { isSallyportError } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { utf8 } from '../crypto/bytes.ts'
import { sha256Hex } from '../crypto/crypto.ts'
import type { VerifiedDelivery } from '../ports/delivery.ts'
import type { EventSource, InternalEvent } from '../ports/event.ts'
import { idempotencyKey, isPortable } from '../provider/idempotency-key.ts'
import { letGo, whenReady } from '../internal/maybe-promise.ts'
import { parseJson } from './parse-json.ts'
import type { MaybePromise } from '../ports/ports.ts'
import type { AnyProvider, NormalizedEvent } from '../provider/provider.ts'
import { invalidJson } from './refusals.ts'

/**
 * Reads the signed bytes as the provider sends them.
 *
 * @throws SallyportError `INVALID_JSON` (400), or what the provider's own parser says
 */
export function parse(provider: AnyProvider, body: Uint8Array): unknown {
  try {
    return provider.parse ? provider.parse(body) : parseJson(body)
  } catch (error) {
    throw isSallyportError(error) ? error : invalidJson('The body is not what this provider sends')
  }
}

/**
 * The internal events in a delivery; none when it is of a kind that nobody asked for.
 *
 * @param step asks a schema for its data: the caller says how long, and whether at all
 *
 * @throws whatever a normalizer throws about a delivery that it should be able to read, and `TypeError` when what it
 * returns is not what the provider declares, with the code `ASYNC_NORMALIZER` when it is a promise, and `ASYNC_PARSER`
 * when the payload is; what `step` throws
 */
export async function normalize(
  provider: AnyProvider,
  delivery: VerifiedDelivery,
  deliveryId: string,
  step: Step = (read) => read(),
): Promise<readonly InternalEvent[]> {
  const source: EventSource = { provider: provider.name, deliveryId, receivedAt: delivery.receivedAt }

  if (letGo(delivery.payload)) throw promised('PARSER')
  const manual = manualTest(provider, delivery.payload)
  if (manual) return [await toEvent(manual, delivery, { ...source, manual: true })]

  const found = [provider.normalize(delivery)].flat()
  // Each of them is let go.
  if (found.map(letGo).includes(true)) throw promised('NORMALIZER')
  const events: InternalEvent[] = []
  for (const [index, one] of found.entries()) {
    const data = valueOf(one, await step(() => validate(provider, one)))
    events.push(await toEvent({ ...one, data }, delivery, source, index))
  }
  return events
}

const kindPattern = /^[\w.:-]{1,64}$/

/** Reads the kind of an ignored delivery; undefined when the provider does not know it, or it is not a plain name. */
export function readIgnoredKind(provider: AnyProvider, delivery: VerifiedDelivery): string | undefined {
  try {
    const kind = provider.readKind?.(delivery)
    return typeof kind === 'string' && kindPattern.test(kind) ? kind : undefined
  } catch {
    // The delivery is ignored all the same.
    return undefined
  }
}

type Read = MaybePromise<StandardSchemaV1.Result<unknown>>
type Step = (read: () => Read) => Read

const promised = (maker: 'PARSER' | 'NORMALIZER'): TypeError =>
  Object.assign(new TypeError('It returns a promise'), { code: `ASYNC_${maker}` })

/** Somebody's own test, told from a service's payload by a `type` that is one of the provider's internal kinds. */
function manualTest({ events }: AnyProvider, payload: unknown): NormalizedEvent | undefined {
  const { type: kind, payload: data } = Object(payload) as { type?: unknown; payload?: unknown }
  const isTest = typeof kind === 'string' && Object.hasOwn(events, kind)
  return isTest && isObject(data) ? { kind, subject: 'manual', data } : undefined
}

const isObject = (value: unknown): boolean => Object(value) === value && !Array.isArray(value)

function validate({ name, events }: AnyProvider, { kind, data }: NormalizedEvent): Read {
  const schema = Object.hasOwn(events, kind) && events[kind]
  if (!schema) throw new TypeError(`${name} does not declare the kind "${kind}"`)
  return schema['~standard'].validate(data)
}

function valueOf({ kind }: NormalizedEvent, result: StandardSchemaV1.Result<unknown>): unknown {
  if (!result.issues) return result.value
  // What the problems are is for the tests of a provider alone: it may quote the data.
  throw new TypeError(`The data of ${kind} does not fit its schema`, { cause: result.issues })
}

function toEvent(
  { kind, key = [], subject, occurredAt, data }: NormalizedEvent,
  { body, receivedAt }: VerifiedDelivery,
  source: EventSource,
  index?: number,
): MaybePromise<InternalEvent> {
  const ts = occurredAt ?? receivedAt
  if (!isTime(ts)) throw new TypeError(`The time of ${kind} is not in milliseconds`)
  if (typeof subject !== 'string') throw new TypeError(`The subject of ${kind} is not a text`)
  if (!isKey(key)) throw new TypeError(`The key of ${kind} is empty, or not of texts and safe numbers`)
  const { provider } = source
  return whenReady(
    key.length > 0 ? keyOf(provider, kind, key) : hashKey(provider, body, index ? [index] : []),
    (id): InternalEvent => ({ id, name: `${provider}/${kind}`, subject, ts, data, source }),
  )
}

/** The years of RFC 3339: from the year 0 to before the year 10,000. */
const isTime = (time: unknown): boolean =>
  typeof time === 'number' && time >= -62_167_219_200_000 && time < 253_402_300_800_000

/** What is missing or empty, and what was rounded, reads the same in other deliveries: they would be taken for one. */
const isKey = (parts: readonly unknown[]): boolean =>
  parts.every(isKeyPart) && (parts.length === 0 || parts.join('') !== '')

const isKeyPart = (part: unknown): boolean =>
  typeof part === 'string' || (typeof part === 'number' && Math.abs(part) < 2 ** 53)

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
  return whenReady(sha256Hex(utf8(key)), (hash) => idempotencyKey(provider, kind, ['sha256', hash]))
}

/** The key of signed bytes, and of what else tells them apart. */
export function hashKey(
  provider: string,
  body: Uint8Array,
  parts: readonly (string | number)[] = [],
): MaybePromise<string> {
  return whenReady(sha256Hex(body), (hash) => keyOf(provider, 'sha256', [hash, ...parts]))
}
