import type { BuiltOperation, BuiltPart, BuiltResponse } from './document-model.ts'

type Parts = Readonly<Record<string, BuiltPart>>

/** A parameter or header that may move to the components. */
interface SharedPart {
  readonly name: string
  readonly part: BuiltPart
  readonly refer: (reference: { readonly $ref: string }) => void
}

/**
 * Moves parameters that several operations share to components and replaces them by references.
 *
 * A component has the name of its parameter. Different parameters of one name get a number, and so do names that are
 * already in the components.
 */
export function shareParameters(operations: readonly BuiltOperation[], named: Parts = {}): Parts {
  const parts = operations.flatMap(({ parameters = [] }) =>
    parameters.map((part, index): SharedPart => {
      const refer: SharedPart['refer'] = (reference) => (parameters[index] = reference)
      return { name: (part as { readonly name: string }).name, part, refer }
    }),
  )
  return share(parts, 'parameters', named)
}

/** Moves headers that several responses share to components, like {@link shareParameters}. */
export function shareHeaders(responses: readonly BuiltResponse[], named: Parts = {}): Parts {
  const parts = responses.flatMap(({ headers = {} }) =>
    Object.entries(headers).map(([name, part]): SharedPart => {
      return { name, part, refer: (reference) => (headers[name] = reference) }
    }),
  )
  return share(parts, 'headers', named)
}

function share(parts: readonly SharedPart[], kind: string, named: Parts): Parts {
  const components: Record<string, BuiltPart> = { ...named }
  const own = parts.filter(({ part }) => part.$ref === undefined)
  const equal = Map.groupBy(own, ({ part }) => JSON.stringify(part))
  for (const group of equal.values()) {
    const [first] = group
    if (first === undefined || group.length < 2) continue
    const name = freeName(first.name, components)
    components[name] = first.part
    for (const { refer } of group) refer({ $ref: `#/components/${kind}/${name}` })
  }
  return components
}

function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  // Allowed characters: https://spec.openapis.org/oas/v3.0.3#components-object
  const base = name.replaceAll(/[^A-Za-z0-9._-]/g, '_')
  let free = base
  for (let number = 2; Object.hasOwn(taken, free); number++) free = `${base}${number}`
  return free
}
