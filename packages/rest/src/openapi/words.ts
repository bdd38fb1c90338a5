import type { BuiltSchema } from './built.ts'
import { partsOf } from './walk.ts'

/** The words of a schema object: https://spec.openapis.org/oas/v3.0.3#schema-object */
const words: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'example', 'deprecated', 'externalDocs', 'xml', '$ref'],
  ...['type', 'format', 'enum', 'nullable', 'readOnly', 'writeOnly', 'discriminator'],
  ...['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'items', 'maxItems', 'minItems', 'uniqueItems'],
  ...['properties', 'required', 'additionalProperties', 'maxProperties', 'minProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'not'],
])

/** Leaves out in place what a schema says in no word of 3.0, such as metadata of the program's own. */
export function leaveOutOtherWords(schema: BuiltSchema): void {
  for (const part of partsOf(schema)) leaveOutOtherWords(part)
  leaveOutPattern(schema)
  for (const word of Object.keys(schema)) {
    if (!words.has(word) && !word.startsWith('x-')) Reflect.deleteProperty(schema, word)
  }
}

/** The pattern that zod gives these says what their format says, at length; another says something else. */
function leaveOutPattern(schema: BuiltSchema): void {
  const { format, pattern } = schema
  if (format !== 'uuid' && format !== 'date-time' && format !== 'date') return
  if (pattern === schema['~formatPattern']) Reflect.deleteProperty(schema, 'pattern')
}
