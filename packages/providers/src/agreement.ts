import type { VerifiedDelivery } from '@sallyport/webhooks'

/** Dotted paths that a body has, separated by spaces, or a test of the body; and the names of the events with such bodies. */
export type AgreementRule = readonly [shape: string | ((payload: unknown) => boolean), names: RegExp]

/**
 * Creates a check of an unsigned header with the name of the event against the signed body. The first rule that fits the body
 * decides. A body that fits no rule must not have a name that needs a rule.
 *
 * @param needed the names that need a rule; all names of the rules by default
 */
export function createAgreement(
  header: string,
  rules: readonly AgreementRule[],
  needed?: RegExp,
): (delivery: VerifiedDelivery) => boolean {
  const needsRule = (name: string) =>
    (needed ? [needed] : rules.map(([, names]) => names)).some((one) => one.test(name))
  return ({ headers, payload }) => {
    const name = headers.get(header) ?? ''
    const rule = rules.find(([shape]) => fits(payload, shape))
    return rule === undefined ? !needsRule(name) : rule[1].test(name)
  }
}

/** Returns the names of a service from their beginnings: `{ 'orders/': 'create paid' }` has `orders/create`, `orders/paid`. */
export const listNames = (groups: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(groups).flatMap(([start, ends]) => ends.split(' ').map((end) => start + end))

const fits = (payload: unknown, shape: AgreementRule[0]): boolean =>
  typeof shape === 'function'
    ? shape(payload)
    : shape.split(' ').every((path) => readPath(payload, path) !== undefined)

/** Reads a member by its dotted path; undefined when a body does not have it. `null` is a member. */
export const readPath = (payload: unknown, path: string): unknown => readMember(payload, path.split('.'))

/** Reads a member by the names of its path. */
export function readMember(payload: unknown, path: readonly string[]): unknown {
  let value = payload
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/** Creates a test of a body for one member alone, such as the id of a deleted entity. */
export const hasOnly =
  (member: string) =>
  (payload: unknown): boolean =>
    Object.keys(Object(payload) as object).join() === member
