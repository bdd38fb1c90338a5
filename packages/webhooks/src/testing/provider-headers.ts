import { readEvents, sortIds, readIds } from './provider-keys.ts'
import { listSignedHeaders, withoutHeader, type ProviderSample } from './provider-options.ts'
import type { SuiteContext } from './provider-options.ts'
import type { TestRunner } from './runner.ts'

type Headers = ProviderSample['headers']

/** Returns the signed headers of a sample, such as the id of the delivery. */
function signedAmong(context: SuiteContext, headers: Headers): Headers {
  const signed = listSignedHeaders(context)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => signed.includes(name.toLowerCase())))
}

/** Reports whether the ids of the events of a name depend on a signed header. */
export async function dependsOnSignedHeader(
  context: SuiteContext,
  { headers, body }: ProviderSample,
  name: string,
): Promise<boolean> {
  const bytes = context.encodeSample(body)
  const idsWith = async (changed: Headers): Promise<string> => {
    const events = await readEvents(context, changed, bytes).catch(() => [])
    return sortIds(events.filter((event) => event.name === name)).join()
  }
  const known = await idsWith(headers)
  for (const [header, value] of Object.entries(signedAmong(context, headers))) {
    const ids = await idsWith({ ...headers, [header]: `${value}1` })
    if (ids !== '' && ids !== known) return true
  }
  return false
}

/** Values of unsigned headers: words, numbers, times and ids. */
const oddValues = [
  '',
  'changed',
  'constructor',
  '0',
  '1',
  '2',
  'Thu, 01 Jan 2026 00:00:00 GMT',
  '2026-01-01T00:00:00Z',
  '00000000-0000-4000-8000-000000000000',
]

/** Defines the tests of unsigned headers. */
export function testHeaders({ describe, it, expect }: TestRunner, context: SuiteContext): void {
  const { samples, ignored, encodeSample } = context
  const signedNames = listSignedHeaders(context)

  /** Collects the values of the unsigned headers of all samples by name. */
  function unsignedValues(): ReadonlyMap<string, ReadonlySet<string>> {
    const seen = new Map<string, Set<string>>()
    for (const { headers } of [...samples, ...ignored]) {
      for (const [name, value] of Object.entries(headers)) {
        if (signedNames.includes(name.toLowerCase())) continue
        seen.set(name, (seen.get(name) ?? new Set()).add(value))
      }
    }
    return seen
  }

  describe('headers', () => {
    it('produces no second event when unsigned headers change', async () => {
      const seen = unsignedValues()
      for (const { kind, headers, body } of samples) {
        const bytes = encodeSample(body)
        // The set grows with the headers that the provider reads.
        const names = new Set(seen.keys())
        const onRead = (name: string): void => {
          if (!signedNames.includes(name)) names.add(name)
        }
        const first = new Set(sortIds(await readEvents({ ...context, onRead }, headers, bytes)))
        const expectNoOther = async (changed: Headers): Promise<void> => {
          for (const id of await readIds({ ...context, onRead }, changed, bytes)) {
            expect({ kind, changed, second: first.has(id) ? null : id }).toEqual({
              kind,
              changed,
              second: null,
            })
          }
        }
        await expectNoOther(signedAmong(context, headers))
        for (const name of names) {
          await expectNoOther(withoutHeader(headers, name))
          for (const value of new Set([...oddValues, ...(seen.get(name) ?? [])])) {
            await expectNoOther({ ...headers, [name]: value })
          }
        }
        for (const value of oddValues) {
          await expectNoOther({ ...headers, ...Object.fromEntries([...names].map((name) => [name, value])) })
        }
      }
    })
  })
}
