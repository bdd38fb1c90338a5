/** Values by name. Tools that serialize events as JSON write null for missing values. */
export type Parameters =
  Readonly<Record<string, string | readonly (string | null)[] | null | undefined>> | null | undefined

type Encode = (text: string) => string

/** A failed verification tries each query once: more queries would multiply the work for a request that anybody can send. */
const maxQueries = 16

/** The permutations of more names are too many. */
const maxPermuted = 3

/**
 * Lists the queries that a platform can have received when it passes these parameters, the most usual one first. A platform may
 * decode the parameters, change the order of the names, and pass `?flag` like `?flag=`.
 *
 * @param encoders the ways to encode a name or a value
 */
export function listQueries(parameters: Parameters, encoders: readonly Encode[]): readonly string[] {
  const named = Object.entries(parameters ?? {})
    .map(([name, values]) => ({ name, values: listPresent(values) }))
    .filter(({ values }) => values.length > 0)
  const queries = permute(named).flatMap((order, orderRank) =>
    [true, false].flatMap((hasEquals) =>
      encoders.map((encode, encoderRank) => ({
        // All orders but the first are equally usual.
        rarity: Math.min(orderRank, 1) + Number(!hasEquals) + encoderRank,
        query: order
          .flatMap(({ name, values }) => values.map((value) => formatPair(name, value, encode, hasEquals)))
          .join('&'),
      })),
    ),
  )
  const sorted = queries.toSorted((one, other) => one.rarity - other.rarity).map(({ query }) => query)
  return [...new Set(sorted)].slice(0, maxQueries)
}

/** Lists the present values. */
export const listPresent = (given: NonNullable<Parameters>[string]): readonly string[] =>
  [given].flat().filter((value) => value !== null && value !== undefined)

function formatPair(name: string, value: string, encode: Encode, hasEquals: boolean): string {
  const encoded = encode(name).replaceAll('=', '%3D')
  return value === '' && !hasEquals ? encoded : `${encoded}=${encode(value)}`
}

function permute<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2 || items.length > maxPermuted) return [items]
  return items.flatMap((first) =>
    permute(items.filter((item) => item !== first)).map((others) => [first, ...others]),
  )
}

/** The parameters of a platform that does not decode them. */
export const asReceived: readonly Encode[] = [(text) => text]

const encodeComponent: Encode = (text) => encodeURIComponent(text.toWellFormed())

/** Encodes the characters that a query cannot contain (RFC 3986, section 3.4), and its separators. */
const encodeLeast: Encode = (text) =>
  text.toWellFormed().replaceAll(/[^!$'()*,\-./:;=?@\w~]/gu, encodeURIComponent)

/** The ways in which senders encode. */
export const encodings: readonly Encode[] = [
  (text) => String(new URLSearchParams([['', text]])).slice(1),
  encodeComponent,
  encodeLeast,
  (text) => encodeLeast(text).replaceAll('%20', '+'),
  (text) =>
    encodeComponent(text).replaceAll(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
]
