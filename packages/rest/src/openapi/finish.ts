import type { BuiltDocument, BuiltSchema } from './built.ts'
import { toDialect } from './dialect.ts'
import { addExamples } from './examples.ts'
import type { Sources } from './refused.ts'
import { shareHeaders, shareParameters } from './share.ts'
import { partsOf, schemasOf } from './walk.ts'

/** Finishes a document in place: its schemas in words of 3.0, examples where there are none, and what is repeated moved to its components. */
export function finish(document: BuiltDocument, sources: Sources): void {
  toDialect(document)
  const { paths, components = {} } = document
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  addExamples(operations, components.schemas ?? {}, sources)
  // Only now: it tells which examples fit.
  for (const schema of schemasOf(document)) leaveOutPattern(schema)
  const responses = [
    ...operations.flatMap((operation) => Object.values(operation.responses ?? {})),
    ...Object.values(components.responses ?? {}),
  ]
  const shared = { parameters: shareParameters(operations), headers: shareHeaders(responses) }
  if (Object.keys(shared.parameters).length > 0) components.parameters = shared.parameters
  if (Object.keys(shared.headers).length > 0) components.headers = shared.headers
}

/** The pattern of these says what their format says, at length. */
function leaveOutPattern(schema: BuiltSchema): void {
  const { format } = schema
  if (format === 'uuid' || format === 'date-time' || format === 'date') {
    Reflect.deleteProperty(schema, 'pattern')
  }
  for (const part of partsOf(schema)) leaveOutPattern(part)
}
