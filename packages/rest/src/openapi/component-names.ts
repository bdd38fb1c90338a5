import { listReferences, mapReferences, type ReferencedSchemas } from './json-schema.ts'

/** Whether a schema describes what the server reads or what it writes. */
export type Direction = 'input' | 'output'

/** The start of a reference to a component. */
export const root = '#/components/schemas/'

// A component name has no colon, so the references of the two directions are distinct from all others.
export const formatReference = (id: string, direction: Direction) => `${root}${id}:${direction}`
const getId = ($ref: string) => $ref.slice(root.length, $ref.lastIndexOf(':'))
const isOutput = ($ref: string) => $ref.endsWith(':output')

/**
 * Names the components by their references. A component has its id as its name. The output that differs from the input has
 * another name, which is not the id of another component.
 */
export function nameComponents(schemas: ReferencedSchemas): ReadonlyMap<string, string> {
  const differing = findDifferences(schemas)
  const taken = new Set([...schemas.keys()].map(getId))
  const names = [...schemas.keys()].map(($ref) => {
    const id = getId($ref)
    if (!isOutput($ref) || !differing.has(id)) return [$ref, id] as const
    let name = `${id}Output`
    for (let count = 2; taken.has(name); count += 1) name = `${id}Output${count}`
    taken.add(name)
    return [$ref, name] as const
  })
  return new Map(names)
}

/** The ids of components that differ between input and output, or that refer to one that does. */
function findDifferences(schemas: ReferencedSchemas): ReadonlySet<string> {
  const toOutput = ($ref: string) => (schemas.has($ref) ? formatReference(getId($ref), 'output') : $ref)
  const both = [...schemas].flatMap(([$ref, output]) => {
    const id = getId($ref)
    const input = schemas.get(formatReference(id, 'input'))
    if (!isOutput($ref) || input === undefined) return []
    const differs = JSON.stringify(mapReferences(input, toOutput)) !== JSON.stringify(output)
    return [
      {
        id,
        differs,
        refersTo: listReferences(output)
          .filter((one) => schemas.has(one))
          .map(getId),
      },
    ]
  })
  const differing = new Set(both.filter(({ differs }) => differs).map(({ id }) => id))
  let before: number
  do {
    before = differing.size
    for (const { id, refersTo } of both) {
      if (refersTo.some((other) => differing.has(other))) differing.add(id)
    }
  } while (differing.size > before)
  return differing
}
