import type { BuiltDocument, BuiltSchema } from './built.ts'

const schemasAt = '#/components/schemas/'

/** The name of the component that a schema refers to. */
export function componentOf({ $ref }: BuiltSchema): string | undefined {
  return $ref?.slice(schemasAt.length)
}

/** The component that a schema refers to, of those that there are. */
export function targetOf(
  schema: BuiltSchema,
  schemas: Readonly<Record<string, BuiltSchema>>,
): BuiltSchema | undefined {
  return schemas[componentOf(schema) ?? '']
}

/** The names of the schemas that a document comes to from its paths, by references and the mappings of discriminators. */
export function componentsIn({ paths, components = {} }: BuiltDocument): ReadonlySet<string> {
  const { schemas = {}, ...others } = components
  const names = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(look)
    if (typeof value !== 'string' || !value.startsWith(schemasAt)) return
    const name = value.slice(schemasAt.length)
    if (names.has(name)) return
    names.add(name)
    look(schemas[name])
  }
  look([paths, others])
  return names
}
