import type { InternalEvent } from '../ports/event.ts'
import { differences, leavesOf, replaced, type Leaf } from './provider-leaves.ts'

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
  const expected = idsOf(known, name)
  const kinds = await kindsIn(trial, known, name)
  const leaves = [...new Set(leavesOf(payload))].filter((leaf) => !kinds.has(leaf))
  const fates = new Map(leaves.map((leaf) => [leaf, { same: 0, refused: 0 }]))
  const isKeyed = async (leaf: Leaf, varied: Leaf): Promise<boolean> => {
    const ids = idsOf(await eventsOf(replaced(payload, leaf, varied)), name)
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

const idsOf = (events: readonly InternalEvent[], name: string): string =>
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
