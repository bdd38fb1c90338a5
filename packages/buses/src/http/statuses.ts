type Outcome = 'success' | 'retry' | 'dead' | 'gone'

/** A status from 200 to 599, or all statuses with one first digit. */
type StatusPattern = number | '2xx' | '3xx' | '4xx' | '5xx'

/** Returns the meaning of a status. */
export type Classify = (status: number) => Outcome

/** Statuses by their meaning. A status has precedence over its group, and an option over the default. */
export type StatusOptions = Readonly<Partial<Record<Outcome, readonly StatusPattern[] | undefined>>>

const defaults: StatusOptions = { success: ['2xx'], gone: [410] }
const outcomes: readonly Outcome[] = ['success', 'retry', 'dead', 'gone']

/**
 * Creates the function that classifies. By default, a status from 200 to 299 is a success, 410 is gone, and
 * every other status is retried.
 *
 * @throws TypeError for an invalid status, and for a status with two meanings
 */
export function createClassifier(options: StatusOptions = {}): Classify {
  const chosen = readPatterns(options)
  const initial = readPatterns(defaults)
  return (status) => {
    const group = `${Math.floor(status / 100)}xx`
    return chosen.get(status) ?? chosen.get(group) ?? initial.get(status) ?? initial.get(group) ?? 'retry'
  }
}

function readPatterns(options: StatusOptions): ReadonlyMap<number | string, Outcome> {
  const meanings = new Map<number | string, Outcome>()
  for (const outcome of outcomes)
    for (const pattern of options[outcome] ?? []) {
      if (!isPattern(pattern))
        throw new TypeError(`statuses.${outcome} must have numbers from 200 to 599, 2xx, 3xx, 4xx or 5xx`)
      if (meanings.has(pattern)) throw new TypeError(`statuses must have ${pattern} once`)
      meanings.set(pattern, outcome)
    }
  return meanings
}

const isPattern = (pattern: unknown): boolean =>
  typeof pattern === 'number'
    ? Number.isInteger(pattern) && pattern >= 200 && pattern <= 599
    : /^[2-5]xx$/.test(String(pattern))

/** Reports whether a status comes from a destination that is unavailable, and not from one message. */
export const isUnavailable = (status: number): boolean =>
  [408, 425, 429].includes(status) || (status >= 500 && status <= 599)
