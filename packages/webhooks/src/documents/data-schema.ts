import type { EventSchemas } from '../provider/provider.ts'

/** A JSON Schema of draft 7, the dialect of AsyncAPI. */
export type DataSchema = Readonly<Record<string, unknown>>

/** The optional part of a Standard Schema that gives its JSON Schema. */
interface JsonSchemaSource {
  readonly jsonSchema?: {
    readonly output: (options: { readonly target: 'draft-07'; readonly libraryOptions: object }) => DataSchema
  }
}

/**
 * Converts the schema of an event's data. Returns undefined for a schema without JSON Schema, such as a schema of valibot.
 *
 * @param address the reference to the schema in the document, to which its own references are relative
 * @see https://standardschema.dev/json-schema
 */
export function convertSchema(schema: EventSchemas[string], address: string): DataSchema | undefined {
  const { jsonSchema } = schema['~standard'] as JsonSchemaSource
  if (jsonSchema === undefined) return undefined
  const json = jsonSchema.output({
    target: 'draft-07',
    libraryOptions: { unrepresentable: 'any' },
  })
  Reflect.deleteProperty(json, '$schema')
  const text = JSON.stringify(json).replaceAll(
    /"\$ref":"#([^"]*)"/g,
    (_, path: string) => `"$ref":"${address}${path}"`,
  )
  return JSON.parse(text) as DataSchema
}
