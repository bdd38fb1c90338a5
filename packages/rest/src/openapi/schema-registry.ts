import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { mapSubschemas, type JsonSchema, type ReferencedSchemas } from './json-schema.ts'
import { zodOptions } from './zod-options.ts'

/** Whether a schema describes what the server reads or what it writes. */
export type Direction = 'input' | 'output'

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
  /** Inserts the components into a document that holds their references. */
  readonly insertInto: <Document extends object>(document: Document) => Document
}

const root = '#/components/schemas/'
// A component name has no colon, so the references of the two directions are distinct from all others.
const formatReference = (id: string, direction: Direction) => `${root}${id}:${direction}`
const references = new RegExp(`"${root}([^":]+):(input|output)"`, 'g')

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
      const isRecursive = JSON.stringify(json).includes('"#"')
      const name = id ?? (isRecursive ? owner : undefined)
      const text = JSON.stringify(json).replaceAll(/"#(?:\/\$defs\/([^"]+))?"/g, (_, part?: string) =>
        JSON.stringify(
          formatReference(part === undefined ? (name ?? owner) : nameDefinition(part, owner), direction),
        ),
      )
      const { $defs = {}, ...converted } = JSON.parse(text) as JsonSchema & {
        readonly $defs?: Readonly<Record<string, JsonSchema>>
      }
      Reflect.deleteProperty(converted, '$schema')
      for (const [part, definition] of Object.entries($defs))
        add(nameDefinition(part, owner), simplify(definition, direction), direction)
      const simplified = simplify(converted, direction)
      return name === undefined || converted.$ref !== undefined
        ? simplified
        : add(name, simplified, direction)
    },

    insertInto(document) {
      const differing = findDifferences(schemas)
      const rename = (id: string, direction: string) =>
        direction === 'output' && differing.has(id) ? `${id}Output` : id
      const used = new Map<string, JsonSchema>()
      const text = JSON.stringify(document)
      const collect = (part: string): void => {
        for (const [, id = '', direction = ''] of part.matchAll(references)) {
          const name = rename(id, direction)
          if (used.has(name)) continue
          const schema = schemas.get(formatReference(id, direction as Direction)) ?? {}
          used.set(name, schema)
          collect(JSON.stringify(schema))
        }
      }
      collect(text)
      const finish = (part: string) =>
        part.replaceAll(references, (_, id: string, direction: string) => `"${root}${rename(id, direction)}"`)
      const finished = JSON.parse(finish(text)) as typeof document & { readonly components?: object }
      if (used.size === 0) return finished
      const components = JSON.parse(finish(JSON.stringify(Object.fromEntries(used)))) as object
      return { ...finished, components: { ...finished.components, schemas: components } }
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

/** The ids of components that differ between input and output, or that refer to one that does. */
function findDifferences(schemas: ReferencedSchemas): ReadonlySet<string> {
  const both = [...schemas].flatMap(([$ref, output]) => {
    const id = $ref.slice(root.length).replace(':output', '')
    const input = schemas.get(formatReference(id, 'input'))
    return $ref.endsWith(':output') && input !== undefined
      ? [{ id, input: JSON.stringify(input), output: JSON.stringify(output) }]
      : []
  })
  const differing = new Set<string>()
  let before: number
  do {
    before = differing.size
    for (const { id, input, output } of both) {
      const refers = [...output.matchAll(references)].some(([, other = '']) => differing.has(other))
      if (refers || input.replaceAll(':input"', ':output"') !== output) differing.add(id)
    }
  } while (differing.size > before)
  return differing
}
