import type { VerifiedDelivery } from '@sallyport/webhooks'

/** Dotted paths that a body has, separated by spaces, and the names of the events that have them. */
export type AgreementRule = readonly [members: string, names: RegExp]

/**
 * Creates a check of an unsigned header with the name of the event against the signed body. The first rule with all of its
 * members in the body decides. A body that fits no rule must not have a name that a rule knows.
 */
export function createAgreement(
  header: string,
  rules: readonly AgreementRule[],
): (delivery: VerifiedDelivery) => boolean {
  return ({ headers, payload }) => {
    const name = headers.get(header) ?? ''
    const rule = rules.find(([members]) => members.split(' ').every((path) => hasPath(payload, path)))
    return rule === undefined ? !rules.some(([, names]) => names.test(name)) : rule[1].test(name)
  }
}

function hasPath(payload: unknown, path: string): boolean {
  let value = payload
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return true
}
