import type { OpenApiDocument, OpenApiReference } from '../openapi/document-model.ts'
import type { ReferencedSchemas } from '../openapi/json-schema.ts'

/** Follows the reference of a part of a document; returns other parts unchanged. */
export function follow<Part extends object>(
  { components = {} }: OpenApiDocument,
  part: Part,
): Exclude<Part, OpenApiReference> {
  type Target = Exclude<Part, OpenApiReference>
  if (!('$ref' in part)) return part as Target
  const [, , kind = '', name = ''] = String(part.$ref).split('/')
  const parts = (components as Readonly<Record<string, Readonly<Record<string, Target>>>>)[kind]
  const target = parts?.[name]
  if (target === undefined) throw new TypeError(`The document has no ${String(part.$ref)}`)
  return target
}

/** Lists the schemas of a document by the references to them. */
export const listSchemas = ({ components }: OpenApiDocument): ReferencedSchemas =>
  new Map(
    Object.entries(components?.schemas ?? {}).map(([name, schema]) => [
      `#/components/schemas/${name}`,
      schema,
    ]),
  )
