import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { formatReference, nameComponents, root, type Direction } from './component-names.ts'
import { mapSchemas, type OpenApiDocument } from './document-model.ts'
import {
  listReferences,
  mapReferences,
  mapSubschemas,
  type JsonSchema,
  type ReferencedSchemas,
} from './json-schema.ts'
import { zodOptions } from './zod-options.ts'

/** Converts the schemas of routes to JSON Schema draft 2020-12 and collects the components among them. */
export interface SchemaRegistry {
  /**
   * @param owner the operation and part that the schema belongs to, for messages and for the names of recursive schemas
   * @throws TypeError for a schema without JSON Schema, and for two different schemas with one id
   */
  readonly convert: (schema: StandardSchemaV1, direction: Direction, owner: string) => JsonSchema
  /** Adds a component and returns a reference to it. */
  readonly add: (id: string, schema: JsonSchema) => JsonSchema
  /** The components so far, by their references. */
  readonly schemas: ReferencedSchemas
  /** Copies a document that holds references, and inserts their components into the copy. */
  readonly insertInto: (document: OpenApiDocument) => OpenApiDocument
}

export function createSchemaRegistry(): SchemaRegistry {
  const schemas = new Map<string, JsonSchema>()

  function add(id: string, schema: JsonSchema, direction: Direction): JsonSchema {
    if (!/^[A-Za-z0-9._-]+$/.test(id))
      throw new TypeError(`The schema id ${id} may have letters, digits, dots, dashes and underscores`)
    const $ref = formatReference(id, direction)
    const known = schemas.get($ref)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new TypeError(`Two different schemas have the id ${id}`)
    schemas.set($ref, schema)
    return { $ref }
  }

  return {
    schemas,
    add: (id, schema) => add(id, schema, 'output'),

    convert(schema, direction, owner) {
      const standard = schema['~standard'] as StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props>
      if (standard.jsonSchema === undefined)
        throw new TypeError(
          `${owner}: a schema of ${standard.vendor} has no JSON Schema; convert it to a Standard JSON Schema, as toStandardJsonSchema of @valibot/to-json-schema does`,
        )
      let id: string | undefined
      let json: Record<string, unknown>
      try {
        json = standard.jsonSchema[direction]({
          target: 'draft-2020-12',
          ...(standard.vendor === 'zod' && {
            libraryOptions: zodOptions(schema, direction, (found) => (id = found)),
          }),
        })
      } catch (error) {
        throw new TypeError(`${owner}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        })
      }
      // A copy, because conversions share parts.
      const copy = JSON.parse(JSON.stringify(json)) as JsonSchema
      Reflect.deleteProperty(copy, '$schema')
      const name = id ?? (listReferences(copy).includes('#') ? owner : undefined)
      const { $defs = {}, ...converted } = mapReferences(copy, ($ref) => {
        if ($ref === '#') return formatReference(name ?? owner, direction)
        const [, part] = /^#\/\$defs\/([^/]+)$/.exec($ref) ?? []
        return part === undefined ? $ref : formatReference(nameDefinition(part, owner), direction)
      }) as JsonSchema & { readonly $defs?: Readonly<Record<string, JsonSchema>> }
      for (const [part, definition] of Object.entries($defs))
        add(nameDefinition(part, owner), simplify(definition, direction), direction)
      const simplified = simplify(converted, direction)
      return name === undefined || converted.$ref !== undefined
        ? simplified
        : add(name, simplified, direction)
    },

    insertInto(document) {
      const copy = JSON.parse(JSON.stringify(document)) as OpenApiDocument
      const names = nameComponents(schemas)
      const components = new Map<string, JsonSchema>()
      const insert = (schema: JsonSchema): JsonSchema =>
        mapReferences(schema, ($ref) => {
          const component = schemas.get($ref)
          const name = names.get($ref)
          if (component === undefined || name === undefined) return $ref
          if (!components.has(name)) {
            // A component may refer to itself.
            components.set(name, {})
            components.set(name, insert(component))
          }
          return root + name
        })
      mapSchemas(copy, insert)
      if (components.size > 0)
        copy.components = { ...copy.components, schemas: Object.fromEntries(components) }
      return copy
    },
  }
}

/**
 * Replaces keywords that code generators misread:
 *
 * - A default moves to the description of an input, because generators require a field with the keyword `default`.
 * - The names of a record with an enum as its keys become properties.
 */
function simplify(schema: JsonSchema, direction: Direction): JsonSchema {
  const {
    default: value,
    propertyNames,
    ...rest
  } = mapSubschemas(schema, (part) => simplify(part, direction))
  const { additionalProperties, description } = rest
  const result: JsonSchema =
    propertyNames?.enum === undefined || typeof additionalProperties !== 'object'
      ? rest
      : {
          ...rest,
          properties: Object.fromEntries(
            propertyNames.enum.map((name) => [String(name), additionalProperties]),
          ),
          additionalProperties: false,
        }
  if (value === undefined || direction === 'output') return result
  const text = `Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`
  return { ...result, description: description === undefined ? text : `${description} ${text}` }
}

/** zod names a recursive schema without an id `__schema0`. */
function nameDefinition(name: string, owner: string): string {
  return name.startsWith('__') ? `${owner}${name.replace('__schema', '')}` : name
}
