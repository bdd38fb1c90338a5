import type { BuiltOperation, BuiltPart, BuiltResponse } from './built.ts'

type Parts = Readonly<Record<string, BuiltPart>>

/** A part that documents may keep in their components, where it stands. */
interface Place {
  readonly name: string
  readonly part: BuiltPart
  readonly refer: (reference: { readonly $ref: string }) => void
}

/**
 * Moves parameters that several operations have, each in the same words, to components; the operations refer to them.
 *
 * They are named like the parameter; where several of one name differ, the later ones are numbered, and so are those
 * named like one that is in the components already.
 */
export function shareParameters(operations: readonly BuiltOperation[], named: Parts = {}): Parts {
  const places = operations.flatMap(({ parameters = [] }) =>
    parameters.map((part, index): Place => {
      const refer: Place['refer'] = (reference) => (parameters[index] = reference)
      return { name: (part as { readonly name: string }).name, part, refer }
    }),
  )
  return share(places, 'parameters', named)
}

/** Moves headers that several responses have to components, as {@link shareParameters} does with parameters. */
export function shareHeaders(responses: readonly BuiltResponse[], named: Parts = {}): Parts {
  const places = responses.flatMap(({ headers = {} }) =>
    Object.entries(headers).map(([name, part]): Place => {
      return { name, part, refer: (reference) => (headers[name] = reference) }
    }),
  )
  return share(places, 'headers', named)
}

function share(places: readonly Place[], kind: string, named: Parts): Parts {
  const components: Record<string, BuiltPart> = { ...named }
  const own = places.filter(({ part }) => part.$ref === undefined)
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
  // What the keys of components may hold: https://spec.openapis.org/oas/v3.0.3#components-object
  const base = name.replaceAll(/[^A-Za-z0-9._-]/g, '_')
  let free = base
  for (let number = 2; Object.hasOwn(taken, free); number++) free = `${base}${number}`
  return free
}
