import { isSallyportError } from '@sallyport/errors'
import { ignoreRejection } from '@sallyport/internal/promises'
import { runSchema } from '@sallyport/internal/run-schema'
import { sha256Hex } from '../crypto/crypto.ts'
import { utf8 } from '../crypto/encoding.ts'
import type { VerifiedDelivery } from '../ports/delivery.ts'
import type { EndpointOptions } from '../ports/endpoints.ts'
import type { EventSource, WebhookEvent } from '../ports/event.ts'
import type { MaybePromise } from '../ports/ports.ts'
import type { AnyProvider, NormalizedEvent, ProducedEvent } from '../provider/provider.ts'
import { parsesAsJson } from '../parsers/forms.ts'
import { createKindFilter, isKind } from '@sallyport/internal/kind'
import {
  areKeyParts,
  createBodyKey,
  createKey,
  getKeyScope,
  readSignedContent,
} from '../provider/idempotency-key.ts'
import { rememberExact, type LargeIntegers } from '../parsers/large-integers.ts'
import { differsFromJson, parseJson } from '../parsers/parse-json.ts'
import { invalidJson } from '../ports/refusals.ts'

/**
 * Parses the signed bytes of a delivery.
 *
 * @throws SallyportError `INVALID_JSON` (400), or the `SallyportError` of the provider's own parser
 */
export function parse(provider: AnyProvider, body: Uint8Array): unknown {
  try {
    const read = (integers: LargeIntegers) =>
      provider.parse ? provider.parse(body, integers) : parseJson(body, integers)
    const exact = read('text')
    if (provider.largeIntegers !== 'number') return exact
    if (parsesAsJson(provider.parse, body) && !differsFromJson(exact)) return exact
    return rememberExact(read('number'), exact)
  } catch (error) {
    throw isSallyportError(error) ? error : invalidJson('The body is not in the format of this provider')
  }
}

/**
 * Converts a delivery to internal events. The list is empty for a kind that the provider ignores.
 *
 * @throws the error of the normalizer
 * @throws TypeError when the events do not match the declaration of the provider, with the code `ASYNC_PARSER` when the
 * payload is a promise and `ASYNC_NORMALIZER` when the normalizer returns a promise
 */
export async function normalize(
  provider: AnyProvider,
  delivery: VerifiedDelivery,
  deliveryId: string,
): Promise<readonly WebhookEvent[]> {
  const { endpoint, receivedAt } = delivery
  const source: EventSource = {
    provider: provider.name,
    ...(endpoint !== undefined && { endpoint }),
    deliveryId,
    receivedAt,
  }

  if (ignoreRejection(delivery.payload)) throw asyncResult('PARSER')
  const signedContent = readSignedContent(provider.signature, delivery.headers)
  const identified = { signedContent, receivedAt, hash: createHash(delivery.body) }
  const manual = findManualTest(provider, delivery.payload)
  if (manual) return [await toEvent(manual, identified, { ...source, manual: true })]

  const found = [provider.normalize(delivery)].flat()
  // `map` handles the rejection of every promise.
  if (found.map(ignoreRejection).includes(true)) throw asyncResult('NORMALIZER')
  return Promise.all(
    found.map(async (one, index) => {
      const data = await validate(provider, one)
      return toEvent({ ...one, data }, identified, source, index)
    }),
  )
}

/** Returns the kind of an event. */
export const getKind = ({ name }: Pick<WebhookEvent, 'name'>): string => name.slice(name.indexOf('/') + 1)

const filters = new WeakMap<readonly string[], (kind: string) => boolean>()

/** Selects the events whose kinds the `only` of a provider or of an endpoint names. */
export function selectEvents(
  { only }: Pick<EndpointOptions, 'only'>,
  events: readonly WebhookEvent[],
): readonly WebhookEvent[] {
  if (only === undefined) return events
  const matches = filters.get(only) ?? createKindFilter(only)
  filters.set(only, matches)
  return events.filter((event) => matches(getKind(event)))
}

const kindPattern = /^[\w.:-]{1,64}$/

/** Reads the kind of an ignored delivery; undefined when the provider does not know it, or it is not a plain name. */
export function readIgnoredKind(provider: AnyProvider, delivery: VerifiedDelivery): string | undefined {
  try {
    const kind = provider.readKind?.(delivery)
    return typeof kind === 'string' && kindPattern.test(kind) ? kind : undefined
  } catch {
    // The kind is optional.
    return undefined
  }
}

const asyncResult = (maker: 'PARSER' | 'NORMALIZER'): TypeError =>
  Object.assign(new TypeError('The provider returned a promise'), { code: `ASYNC_${maker}` })

/**
 * Finds a manual test delivery: its `type` is an internal kind of the provider. A service has no manual tests, because its
 * own deliveries can have the same form.
 */
function findManualTest(provider: AnyProvider, payload: unknown): NormalizedEvent | undefined {
  if ('service' in provider || provider.manualTests === false) return undefined
  const { events } = provider
  const { type: kind, payload: data } = Object(payload) as { type?: unknown; payload?: unknown }
  const isTest = typeof kind === 'string' && Object.hasOwn(events, kind)
  return isTest && isObject(data) ? { kind, subject: 'manual', data } : undefined
}

const isObject = (value: unknown): boolean => Object(value) === value && !Array.isArray(value)

async function validate({ name, events }: AnyProvider, event: ProducedEvent): Promise<unknown> {
  const { kind, data } = event
  const schema = Object.hasOwn(events, kind) && events[kind]
  if ('unchanged' in event && !schema) {
    if (!isKind(kind)) throw new TypeError(`An event of ${name} has no readable kind`)
    return data
  }
  if (!schema) throw new TypeError(`${name} does not declare the kind "${kind}"`)
  const result = await runSchema(schema, data)
  // The issues may quote data: logs get only their paths and codes.
  if (result.issues)
    throw new TypeError(`The data of ${kind} does not fit its schema`, { cause: result.issues })
  return result.value
}

/** The part of an id in place of a kind that is not signed and not listed. No kind has an asterisk. */
const anyKind = '*'

interface Identified {
  readonly signedContent: Uint8Array | undefined
  readonly receivedAt: number
  readonly hash: (content: string | undefined) => MaybePromise<string>
}

/** Creates a function that hashes a text, or the body, once for all events of a delivery. */
function createHash(body: Uint8Array): Identified['hash'] {
  const hashes = new Map<string | undefined, MaybePromise<string>>()
  return (content) => {
    const known = hashes.get(content) ?? sha256Hex(content === undefined ? body : utf8(content))
    hashes.set(content, known)
    return known
  }
}

async function toEvent(
  event: ProducedEvent,
  { receivedAt, signedContent, hash }: Identified,
  source: EventSource,
  index?: number,
): Promise<WebhookEvent> {
  const { kind, key = [], content, distinct, deliveryId: repeated, subject, occurredAt, data } = event
  const ts = occurredAt ?? receivedAt
  if (!isTime(ts)) throw new TypeError(`The time of ${kind} is not in milliseconds`)
  if (typeof subject !== 'string') throw new TypeError(`The subject of ${kind} is not a string`)
  if (!areKeyParts(key))
    throw new TypeError(`The key of ${kind} must have strings and safe integers, not all empty`)
  const { provider, endpoint, deliveryId } = source
  const scope = getKeyScope(provider, endpoint)
  const number = 'place' in event ? event.place : index
  const place = number ? [number] : []
  const attempts = repeated === undefined ? place : [repeated, ...place]
  const identified = 'unlisted' in event && event.unlisted ? anyKind : kind
  const createId = async () => {
    if (distinct) return createKey(scope, kind, [deliveryId, ...place])
    if (key.length > 0) return createKey(scope, identified, key)
    // A copy of a form with other borders can have another kind.
    if (signedContent) return createBodyKey(scope, signedContent, attempts)
    return createKey(scope, 'sha256', [await hash(content), identified, ...attempts])
  }
  const id = await createId()
  return { id, name: `${provider}/${kind}`, subject, ts, data, source }
}

/** RFC 3339 has the years 0 to 9999. */
const isTime = (time: unknown): boolean =>
  typeof time === 'number' && time >= -62_167_219_200_000 && time < 253_402_300_800_000

/** Reports whether JSON can hold the events. Data with a bigint or a cycle cannot be serialized. */
export function isSerializable(events: readonly WebhookEvent[]): boolean {
  try {
    JSON.stringify(events)
    return true
  } catch {
    return false
  }
}
