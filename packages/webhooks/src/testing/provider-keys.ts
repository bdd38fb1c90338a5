import { normalize, parse } from '../gateway/normalize.ts'
import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { InternalEvent } from '../ports/event.ts'
import { type ProviderSample, type SuiteContext, plainHeaders } from './provider-options.ts'

/** What to do about a key that says nothing of the delivery. */
export const adviceOnKeys =
  'its id is the same whatever the payload says, so that the first event would be the last. ' +
  'Let the key hold what the service tells events apart by'

/** What to do about a key that depends on the serialization of the body. */
export const adviceOnStableKeys =
  'Build the key from fields of the body. For a service that sends nothing that identifies an event, ' +
  "pass lacks: ['stable-key'] to testProvider"

/** What to do about a key that two events may share. */
export const adviceOnNumbers =
  'numbers beyond Number.MAX_SAFE_INTEGER lost digits when they were read, and the gateway refuses them in a key. ' +
  'Demand ids as text, or as safe integers'

/** Whether a part of a key is a number that stands for others as well. */
export const isLossy = (part: Leaf): boolean =>
  typeof part === 'number' && Math.abs(part) > Number.MAX_SAFE_INTEGER

/** A payload, and the events that are made of it: none where it is refused. */
export interface KeyTrial {
  readonly payload: unknown
  readonly eventsOf: (payload: unknown) => Promise<readonly InternalEvent[]>
  /** Payloads of the other samples: what names a kind is where they differ. */
  readonly others: readonly unknown[]
}

/** In longer texts, so many characters are tried. */
const spread = 64

/** A longer text does more than to name a kind or to tell a time: it may be an encoded payload. */
const longestKind = 64

/**
 * Whether the events of a name are the same whatever the payload says.
 *
 * Every text and number is tried in other forms, but those that do no more than to name the kind. One that is refused may
 * be what the key is in, such as a signed text or a date: unless most of its forms are taken, or the value that another
 * sample has in its place is, nothing is said against the provider.
 */
export async function ignoresPayload(trial: KeyTrial, name: string): Promise<boolean> {
  const { payload, eventsOf } = trial
  const known = await eventsOf(payload)
  const expected = joinIds(known, name)
  const kinds = await kindsIn(trial, known, name)
  const leaves = [...new Set(leavesOf(payload))].filter((leaf) => !kinds.has(leaf))
  const fates = new Map(leaves.map((leaf) => [leaf, { same: 0, refused: 0 }]))
  const isKeyed = async (leaf: Leaf, varied: Leaf): Promise<boolean> => {
    const ids = joinIds(await eventsOf(replaced(payload, leaf, varied)), name)
    const fate = fates.get(leaf)
    if (fate && ids === expected) fate.same += 1
    else if (fate && ids === none) fate.refused += 1
    else return true
    return false
  }
  for (const vary of [roughly, exactly]) {
    for (const leaf of leaves) for (const varied of vary(leaf)) if (await isKeyed(leaf, varied)) return false
  }
  for (const [leaf, fate] of fates) {
    if (fate.refused === 0 || (fate.same > fate.refused && String(leaf).length <= longestKind)) continue
    fate.same = 0
    for (const theirs of inPlaceOf(leaf, trial)) if (await isKeyed(leaf, theirs)) return false
    if (fate.same === 0) return false
  }
  return [...fates.values()].some(({ same }) => same > 0)
}

/** What other samples have where a payload has this text or number. */
const inPlaceOf = (leaf: Leaf, { payload, others }: KeyTrial): readonly Leaf[] =>
  others.flatMap((other) =>
    differences(payload, other).flatMap(([one, theirs]) => (one === leaf ? [theirs] : [])),
  )

/** The texts and numbers that make an event of another kind with the same key, when they are those of another sample. */
async function kindsIn(
  { payload, eventsOf, others }: KeyTrial,
  known: readonly InternalEvent[],
  name: string,
): Promise<ReadonlySet<Leaf>> {
  const kinds = new Set<Leaf>()
  const keys = new Set(known.filter((event) => event.name === name).map(keyOf))
  for (const other of others) {
    for (const [leaf, theirs] of differences(payload, other)) {
      if (String(leaf).length > longestKind) continue
      const events = await eventsOf(replaced(payload, leaf, theirs))
      const isKind = events.length > 0 && events.every((one) => one.name !== name && keys.has(keyOf(one)))
      if (isKind) kinds.add(leaf)
    }
  }
  return kinds
}

const joinIds = (events: readonly InternalEvent[], name: string): string =>
  JSON.stringify(events.flatMap((event) => (event.name === name ? [event.id] : [])).sort())

const none = JSON.stringify([])

/** An id without the provider and the kind that it begins with. */
const keyOf = ({ id, name }: InternalEvent): string => id.slice(name.length)

/** Others of the same form, as far as that can be told: digits for digits, and letters that a UUID may have too. */
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

/** Letters and digits all over a text: the key may be in any part of it. */
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

/** A text or a number somewhere in a JSON value. */
export type Leaf = string | number

const isLeaf = (value: unknown): value is Leaf => typeof value === 'string' || typeof value === 'number'

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

export const leavesOf = (value: unknown): Leaf[] =>
  isLeaf(value) ? [value] : Object.values(membersOf(value)).flatMap(leavesOf)

/** What differs at the same place of two payloads. */
function differences(one: unknown, other: unknown): [Leaf, Leaf][] {
  if (isLeaf(one)) return isLeaf(other) && one !== other ? [[one, other]] : []
  const theirs = membersOf(other)
  return Object.entries(membersOf(one)).flatMap(([name, member]) => differences(member, theirs[name]))
}

/** The same JSON value with another text or number, wherever it stands. */
export function replaced(value: unknown, from: Leaf, to: Leaf): unknown {
  if (value === from) return to
  if (Array.isArray(value)) return value.map((one) => replaced(one, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, from, to)]))
}

/** Who reads a delivery, and who is told which headers he asks for. */
interface Reading extends Pick<SuiteContext, 'provider' | 'now'> {
  readonly onAsked?: (name: string) => void
}

/** The events that the gateway would make of a verified delivery. */
export async function eventsOf(
  { provider, now, onAsked = () => undefined }: Reading,
  headers: ProviderSample['headers'],
  body: Uint8Array,
  receivedAt = now,
): Promise<readonly InternalEvent[]> {
  const asked = overheard(plainHeaders(headers), onAsked)
  const delivery = { payload: parse(provider, body), headers: asked, body, receivedAt }
  return normalize(provider, delivery, 'suite')
}

export const idsOf = (events: readonly InternalEvent[]): string[] => events.map(({ id }) => id).toSorted()

/** A delivery that cannot be read goes to quarantine: no event comes of it. */
export async function idsOrNone(...delivery: Parameters<typeof eventsOf>): Promise<string[]> {
  return eventsOf(...delivery).then(idsOf, () => [])
}

/** What whoever looks at all headers may be after: headers that another attempt has, or another way. */
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

function overheard(headers: DeliveryHeaders, onAsked: (name: string) => void): DeliveryHeaders {
  return {
    get: (name) => {
      onAsked(name.toLowerCase())
      return headers.get(name)
    },
    [Symbol.iterator]: () => {
      for (const name of usualNames) onAsked(name)
      return headers[Symbol.iterator]()
    },
  }
}
