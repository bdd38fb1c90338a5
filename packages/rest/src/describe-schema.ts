import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { z } from 'zod'
import { resolveSchema, type JsonSchema, type ReferencedSchemas } from './openapi/json-schema.ts'

/** The JSON Schema of a schema, with notes on values of zod that have none. */
export interface DescribedSchema {
  readonly schema: JsonSchema
  readonly schemas: ReferencedSchemas
}

/** Describes what a schema reads or writes; undefined if its library cannot. */
export function describeSchema(
  schema: StandardSchemaV1,
  direction: 'input' | 'output',
): DescribedSchema | undefined {
  const { jsonSchema, vendor } = schema['~standard'] as Partial<StandardJSONSchemaV1.Props>
  const override = vendor === 'zod' && { override: direction === 'input' ? noteInput : noteKind }
  try {
    const json = jsonSchema?.[direction]({
      target: 'draft-2020-12',
      libraryOptions: { unrepresentable: 'any', ...override },
    })
    if (json === undefined) return undefined
    const { $defs = {}, ...root } = json as { readonly $defs?: Readonly<Record<string, JsonSchema>> }
    const definitions = Object.entries($defs).map(([name, part]) => [`#/$defs/${name}`, part] as const)
    return { schema: root, schemas: new Map([...definitions, ['#', root]]) }
  } catch {
    return undefined
  }
}

interface Described {
  readonly zodSchema: z.core.$ZodTypes
  readonly jsonSchema: { -readonly [Keyword in keyof JsonSchema]: JsonSchema[Keyword] }
}

const kinds = new Set(['date', 'bigint', 'map', 'set', 'symbol', 'nan', 'file'])

function noteKind({ zodSchema, jsonSchema }: Described): void {
  const { type } = zodSchema._zod.def
  if (kinds.has(type)) jsonSchema['~kind'] = type
}

function noteInput(described: Described): void {
  const { zodSchema, jsonSchema } = described
  const { def } = zodSchema._zod
  // A function prepares any value for the schema that it precedes. The metadata of a schema that converts text itself, such
  // as `z.string().transform(Number).meta({ type: 'integer' })`, describe the value that it makes of the text.
  const convertsText = readsText(zodSchema) && ![undefined, 'string'].includes(jsonSchema.type as string)
  if (convertsText || (def.type === 'pipe' && def.in._zod.def.type === 'transform')) {
    for (const keyword of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, keyword)
  }
  if ('coerce' in def && def.coerce) jsonSchema['~coerces'] = true
  else noteKind(described)
}

/** Reports whether the input of a schema is text. */
function readsText(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'pipe') return readsText(def.in)
  return 'innerType' in def ? readsText(def.innerType) : def.type === 'string'
}

/** Lists the schemas of which a value matches at least one: the members of unions and intersections, and single types. */
export function listAlternatives(
  schema: JsonSchema,
  schemas: ReferencedSchemas,
  seen: readonly string[] = [],
): readonly JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf, type } = schema
  if ($ref !== undefined) {
    const target = resolveSchema(schema, schemas)
    return target === undefined || seen.includes($ref)
      ? []
      : listAlternatives(target, schemas, [...seen, $ref])
  }
  const members = anyOf ?? oneOf ?? allOf
  if (members !== undefined && type === undefined)
    return members.flatMap((member) => listAlternatives(member, schemas, seen))
  return [type ?? []].flat().length < 2
    ? [schema]
    : [type ?? []].flat().map((one) => ({ ...schema, type: one }))
}
