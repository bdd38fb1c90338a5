/** What to do about a key that says nothing of the delivery. */
export const adviceOnKeys =
  'its id is the same whatever the payload says, so that the first event would be the last. ' +
  'Let the key hold what the service tells events apart by'

/** How often one text or number may be tried otherwise. */
type Variation = (value: string | number) => string | number

/** Others of the same form, as far as that can be told: digits for digits, and letters that a UUID may have too. */
const variations: readonly Variation[] = [
  (value) =>
    typeof value === 'number'
      ? value + 1
      : value.replace(/\d(?=\D*$)/, (digit) => `${(Number(digit) + 1) % 10}`),
  (value) =>
    typeof value === 'number'
      ? value - 1
      : value.replace(/[a-z](?=[^a-z]*$)/i, (one) => (one === 'a' ? 'b' : 'a')),
  (value) => (typeof value === 'number' ? value * 2 + 1 : `${value}1`),
]

/** The same JSON value, each time with one of its texts or numbers another one, wherever it stands. */
export function* otherPayloads(payload: unknown): Generator {
  for (const value of new Set(leavesOf(payload))) {
    for (const vary of variations) {
      const varied = vary(value)
      if (varied !== value) yield replaced(payload, value, varied)
    }
  }
}

function leavesOf(value: unknown): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

function replaced(value: unknown, from: string | number, to: string | number): unknown {
  if (value === from) return to
  if (Array.isArray(value)) return value.map((one) => replaced(one, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, from, to)]))
}
