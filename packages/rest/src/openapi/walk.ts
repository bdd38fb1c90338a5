import type { BuiltDocument, BuiltSchema } from './built.ts'

/** The schemas of a document, without those inside them. Its headers and errors are written in the words of 3.0. */
export function schemasOf({ paths, components = {} }: BuiltDocument): readonly BuiltSchema[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const bodies = operations.flatMap(({ requestBody, responses = {} }) => [
    ...(requestBody === undefined ? [] : [requestBody]),
    ...Object.values(responses),
  ])
  const places = [
    ...operations.flatMap(({ parameters = [] }) => parameters),
    ...Object.values(components.parameters ?? {}),
    ...Object.values(components.headers ?? {}),
    ...[...bodies, ...Object.values(components.responses ?? {})].flatMap(({ content = {} }) =>
      Object.values(content),
    ),
  ]
  return [...Object.values(components.schemas ?? {}), ...places.flatMap(({ schema }) => schema ?? [])]
}

/** The schemas that a schema is made of. */
export function partsOf(schema: BuiltSchema): BuiltSchema[] {
  const { properties, items, additionalProperties, not, allOf = [], anyOf = [], oneOf = [] } = schema
  const parts = [...Object.values(properties ?? {}), items, additionalProperties, not]
  return [...parts.filter((part) => typeof part === 'object'), ...allOf, ...anyOf, ...oneOf]
}
