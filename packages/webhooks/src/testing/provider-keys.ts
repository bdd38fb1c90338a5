import type { InternalEvent } from '../event.ts'

/** What to do about a key that says nothing of the delivery. */
export const adviceOnKeys =
  'its id is the same whatever the payload says, so that the first event would be the last. ' +
  'Let the key hold what the service tells events apart by'

/** A payload, and the events that are made of it: none where it is refused. */
export interface KeyTrial {
  readonly payload: unknown
  readonly eventsOf: (payload: unknown) => Promise<readonly InternalEvent[]>
  /** Payloads of the other samples: what names a kind is where they differ. */
  readonly others: readonly unknown[]
}

type Leaf = string | number

/** In longer texts, so many characters are tried. */
const spread = 64

/** A longer text does more than to name a kind: it may be an encoded payload. */
const longestKind = 64

/**
 * Whether the events of a name are the same whatever the payload says.
 *
 * Every text and number is tried in other forms, but those that do no more than to name the kind. One that is refused may
 * be what the key is in, such as a signed text or a date: then nothing is said against the provider.
 */
export async function ignoresPayload(trial: KeyTrial, name: string): Promise<boolean> {
  const { payload, eventsOf } = trial
  const known = await eventsOf(payload)
  const expected = idsOf(known, name)
  const kinds = await kindsIn(trial, known, name)
  const leaves = [...new Set(leavesOf(payload))].filter((leaf) => !kinds.has(leaf))
  let tried = false
  for (const vary of [roughly, exactly]) {
    for (const leaf of leaves) {
      for (const varied of vary(leaf)) {
        // Refused, or keyed by it.
        if (idsOf(await eventsOf(replaced(payload, leaf, varied)), name) !== expected) return false
        tried = true
      }
    }
  }
  return tried
}

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

const isLeaf = (value: unknown): value is Leaf => typeof value === 'string' || typeof value === 'number'

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const leavesOf = (value: unknown): Leaf[] =>
  isLeaf(value) ? [value] : Object.values(membersOf(value)).flatMap(leavesOf)

/** What differs at the same place of two payloads. */
function differences(one: unknown, other: unknown): [Leaf, Leaf][] {
  if (isLeaf(one)) return isLeaf(other) && one !== other ? [[one, other]] : []
  const theirs = membersOf(other)
  return Object.entries(membersOf(one)).flatMap(([name, member]) => differences(member, theirs[name]))
}

/** The same JSON value with another text or number, wherever it stands. */
function replaced(value: unknown, from: Leaf, to: Leaf): unknown {
  if (value === from) return to
  if (Array.isArray(value)) return value.map((one) => replaced(one, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, from, to)]))
}
