import type { Service, ValueSource } from '@sallyport/webhooks'
import type { ServiceEntry } from '../load.ts'
import { listFactMistakes } from './facts.ts'
import { listSampleMistakes } from './samples.ts'

/**
 * Lists the mistakes in a new service that neither the types nor the suite of services find, each as a sentence with the
 * correction.
 *
 * @param test the text of the test; undefined without a test
 * @param month the present month, such as `2026-11`
 */
export function listMistakes(
  entry: ServiceEntry,
  test: string | undefined,
  month: string,
): readonly string[] {
  return [
    ...listFactMistakes(entry, month),
    ...listSampleMistakes(entry),
    ...listHeaderMistakes(entry.provider),
    ...listTestMistakes(test),
  ]
}

function* listHeaderMistakes({ service, signature: { description } }: Service): Generator<string> {
  const sources = [service.kind, service.id ?? [], service.subject ?? [], service.time ?? []].flat()
  const named = (sources as readonly ValueSource[]).flatMap((source) =>
    typeof source === 'object' ? source.header : [],
  )
  const header =
    description && 'options' in description && 'header' in description.options
      ? description.options.header
      : undefined
  for (const name of [...named, ...(typeof header === 'string' ? [header] : [])])
    if (name !== name.toLowerCase()) yield `The header ${name} is not in lower case`
}

function* listTestMistakes(test: string | undefined): Generator<string> {
  if (test === undefined) yield 'The service has no test: write <name>.test.ts'
  else if (!test.includes('testService(')) yield 'The test does not call `testService`'
  else if (/sign: .*\.signature\.sign\(/.test(test))
    yield 'The test signs with the scheme of the declaration: sign with other code'
}
