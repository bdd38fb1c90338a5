import type { BuiltDocument } from './built.ts'
import { toDialect } from './dialect.ts'
import { addExamples } from './examples.ts'
import { shareHeaders, shareParameters } from './share.ts'
import { schemasOf } from './walk.ts'
import { leaveOutOtherWords } from './words.ts'

/** Finishes a document in place: its schemas in words of 3.0, examples where there are none, and what is repeated moved to its components. */
export function finish(document: BuiltDocument): void {
  toDialect(document)
  const { paths, components = {} } = document
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  addExamples(operations, components.schemas ?? {})
  // Only now: some of them tell which examples fit.
  for (const schema of schemasOf(document)) leaveOutOtherWords(schema)
  const responses = [
    ...operations.flatMap((operation) => Object.values(operation.responses ?? {})),
    ...Object.values(components.responses ?? {}),
  ]
  const shared = {
    parameters: shareParameters(operations, components.parameters),
    headers: shareHeaders(responses, components.headers),
  }
  if (Object.keys(shared.parameters).length > 0) components.parameters = shared.parameters
  if (Object.keys(shared.headers).length > 0) components.headers = shared.headers
}
