import { normalize, parse } from '../gateway/normalize.ts'
import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { WebhookEvent } from '../ports/event.ts'
import { type ProviderSample, type SuiteContext, plainHeaders } from './provider-options.ts'

export const adviceOnKeys =
  'its id does not depend on the payload, so every later event would be a duplicate. ' +
  'Build the key from the fields that identify an event'

export const adviceOnStableKeys =
  'Build the key from fields of the body. For a service that sends nothing that identifies an event, ' +
  "pass lacks: ['stable-key'] to testProvider"

export const adviceOnNumbers =
  'A number beyond Number.MAX_SAFE_INTEGER may be rounded, and the gateway rejects it in a key. ' +
  'Require ids as strings or safe integers'

/** Reports whether a part of a key is a rounded number. */
export const isLossy = (part: Leaf): boolean =>
  typeof part === 'number' && Math.abs(part) > Number.MAX_SAFE_INTEGER

/** A payload with a function that normalizes it and returns no events for a rejected payload. */
export interface KeyTrial {
  readonly payload: unknown
  readonly readEvents: (payload: unknown) => Promise<readonly WebhookEvent[]>
  /** Payloads of the other samples. Their differences show which value names the kind. */
  readonly others: readonly unknown[]
}

/** The number of characters that are varied in a longer text. */
const spread = 64

/** A longer text is not a kind or a time. It can be an encoded payload. */
const longestKind = 64

/**
 * Reports whether the ids of the events of a name do not depend on the payload.
 *
 * The function varies every text and number except the values that only name the kind. A value whose variants are
 * rejected, such as a signed text or a date, can contain the key. Such a value counts as ignored only if most variants
 * or the value of another sample are accepted with the same ids.
 */
export async function ignoresPayload(trial: KeyTrial, name: string): Promise<boolean> {
  const { payload, readEvents } = trial
  const known = await readEvents(payload)
  const expected = joinIds(known, name)
  const kinds = await kindsIn(trial, known, name)
  const leaves = [...new Set(listLeaves(payload))].filter((leaf) => !kinds.has(leaf))
  const trials = new Map(leaves.map((leaf) => [leaf, { same: 0, refused: 0 }]))
  const isKeyed = async (leaf: Leaf, varied: Leaf): Promise<boolean> => {
    const ids = joinIds(await readEvents(replaced(payload, leaf, varied)), name)
    const result = trials.get(leaf)
    if (result && ids === expected) result.same += 1
    else if (result && ids === none) result.refused += 1
    else return true
    return false
  }
  for (const vary of [roughly, exactly]) {
    for (const leaf of leaves) for (const varied of vary(leaf)) if (await isKeyed(leaf, varied)) return false
  }
  for (const [leaf, result] of trials) {
    if (result.refused === 0 || (result.same > result.refused && String(leaf).length <= longestKind)) continue
    result.same = 0
    for (const theirs of listReplacements(leaf, trial)) if (await isKeyed(leaf, theirs)) return false
    if (result.same === 0) return false
  }
  return [...trials.values()].some(({ same }) => same > 0)
}

/** Lists the values of other samples at the position of a leaf. */
const listReplacements = (leaf: Leaf, { payload, others }: KeyTrial): readonly Leaf[] =>
  others.flatMap((other) =>
    differences(payload, other).flatMap(([one, theirs]) => (one === leaf ? [theirs] : [])),
  )

/** Finds the leaves that name the kind: with the value of another sample, the event has another kind and the same key. */
async function kindsIn(
  { payload, readEvents, others }: KeyTrial,
  known: readonly WebhookEvent[],
  name: string,
): Promise<ReadonlySet<Leaf>> {
  const kinds = new Set<Leaf>()
  const keys = new Set(known.filter((event) => event.name === name).map(getKey))
  for (const other of others) {
    for (const [leaf, theirs] of differences(payload, other)) {
      if (String(leaf).length > longestKind) continue
      const events = await readEvents(replaced(payload, leaf, theirs))
      const isKind = events.length > 0 && events.every((one) => one.name !== name && keys.has(getKey(one)))
      if (isKind) kinds.add(leaf)
    }
  }
  return kinds
}

const joinIds = (events: readonly WebhookEvent[], name: string): string =>
  JSON.stringify(events.flatMap((event) => (event.name === name ? [event.id] : [])).sort())

const none = JSON.stringify([])

/** Returns an id without its prefix of provider and kind. */
const getKey = ({ id, name }: WebhookEvent): string => id.slice(name.length)

/** Generates variants of the same form: other digits, and letters that a UUID can contain. */
function* roughly(leaf: Leaf): Generator<Leaf> {
  if (typeof leaf === 'number') {
    yield* [leaf + 1, leaf - 1, leaf * 2 + 1].filter((varied) => varied !== leaf)
    return
  }
  for (const last of [/\d(?=\D*$)/, /\p{L}(?=\P{L}*$)/u]) {
    const varied: string = leaf.replace(last, another)
    if (varied !== leaf) yield varied
  }
  yield `${leaf}1`
}

/** Generates variants with one changed character at positions across a text. */
function* exactly(leaf: Leaf): Generator<Leaf> {
  if (typeof leaf === 'number') return
  const step = Math.max(1, leaf.length / spread)
  for (let position = 0; position < leaf.length; position += step) {
    const index = Math.floor(position)
    const varied: string = leaf.slice(0, index) + another(leaf.charAt(index)) + leaf.slice(index + 1)
    if (varied !== leaf) yield varied
  }
}

function another(character: string): string {
  if (/\d/.test(character)) return `${(Number(character) + 1) % 10}`
  if (/\p{Lu}/u.test(character)) return character === 'A' ? 'B' : 'A'
  if (/\p{L}/u.test(character)) return character === 'a' ? 'b' : 'a'
  return character
}

/** A text or a number in a JSON value. */
export type Leaf = string | number

const isLeaf = (value: unknown): value is Leaf => typeof value === 'string' || typeof value === 'number'

const getMembers = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

export const listLeaves = (value: unknown): Leaf[] =>
  isLeaf(value) ? [value] : Object.values(getMembers(value)).flatMap(listLeaves)

/** Lists the pairs of different leaves at the same position of two payloads. */
function differences(one: unknown, other: unknown): [Leaf, Leaf][] {
  if (isLeaf(one)) return isLeaf(other) && one !== other ? [[one, other]] : []
  const theirs = getMembers(other)
  return Object.entries(getMembers(one)).flatMap(([name, member]) => differences(member, theirs[name]))
}

/** Replaces each occurrence of a leaf in a JSON value. */
export function replaced(value: unknown, from: Leaf, to: Leaf): unknown {
  if (value === from) return to
  if (Array.isArray(value)) return value.map((one) => replaced(one, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, from, to)]))
}

/** The provider, and a callback for the names of the headers that it reads. */
interface Reading extends Pick<SuiteContext, 'provider' | 'now'> {
  readonly onRead?: (name: string) => void
}

/** Normalizes a verified delivery like the gateway. */
export async function readEvents(
  { provider, now, onRead = () => undefined }: Reading,
  headers: ProviderSample['headers'],
  body: Uint8Array,
  receivedAt = now,
): Promise<readonly WebhookEvent[]> {
  const asked = recordReads(plainHeaders(headers), onRead)
  const delivery = { payload: parse(provider, body), headers: asked, body, receivedAt }
  return normalize(provider, delivery, 'suite')
}

export const sortIds = (events: readonly WebhookEvent[]): string[] => events.map(({ id }) => id).toSorted()

/** Returns no ids for a delivery that would be quarantined. */
export async function readIds(...delivery: Parameters<typeof readEvents>): Promise<string[]> {
  return readEvents(...delivery).then(sortIds, () => [])
}

/** Headers that can differ between two attempts. A provider that iterates over all headers reads them. */
const usualNames = [
  'date',
  'idempotency-key',
  'traceparent',
  'user-agent',
  'x-attempt',
  'x-delivery-attempt',
  'x-delivery-id',
  'x-event-id',
  'x-forwarded-for',
  'x-request-id',
  'x-retry',
  'x-retry-count',
  'x-webhook-attempt',
  'x-webhook-id',
]

function recordReads(headers: DeliveryHeaders, onRead: (name: string) => void): DeliveryHeaders {
  return {
    get: (name) => {
      onRead(name.toLowerCase())
      return headers.get(name)
    },
    [Symbol.iterator]: () => {
      for (const name of usualNames) onRead(name)
      return headers[Symbol.iterator]()
    },
  }
}
