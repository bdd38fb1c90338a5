import { eventsOf, idsOf, idsOrNone } from './provider-keys.ts'
import { signedNamesOf, withoutHeader, type ProviderSample } from './provider-options.ts'
import type { SuiteContext } from './provider-options.ts'
import type { TestRunner } from './runner.ts'

type Headers = ProviderSample['headers']

/** The headers of a sample that its signature covers, such as the id of the delivery: they are content. */
function signedAmong(context: SuiteContext, headers: Headers): Headers {
  const signed = signedNamesOf(context)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => signed.includes(name.toLowerCase())))
}

/** Whether the events of a name are told apart by a header that is signed. */
export async function isOfSignedHeader(
  context: SuiteContext,
  { headers, body }: ProviderSample,
  name: string,
): Promise<boolean> {
  const bytes = context.bytesOf(body)
  const idsWith = async (changed: Headers): Promise<string> => {
    const events = await eventsOf(context, changed, bytes).catch(() => [])
    return idsOf(events.filter((event) => event.name === name)).join()
  }
  const known = await idsWith(headers)
  for (const [header, value] of Object.entries(signedAmong(context, headers))) {
    const ids = await idsWith({ ...headers, [header]: `${value}1` })
    if (ids !== '' && ids !== known) return true
  }
  return false
}

/** What a header may say that nobody signed: words, and what readers make numbers, times and ids of. */
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
  const { samples, ignored, bytesOf } = context
  const signedNames = signedNamesOf(context)

  /** What the unsigned headers of all samples say, by name. */
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
        const bytes = bytesOf(body)
        // Those that the provider asks for are tried, too, and what it asks for because of one of them.
        const names = new Set(seen.keys())
        const onAsked = (name: string): void => {
          if (!signedNames.includes(name)) names.add(name)
        }
        const first = new Set(idsOf(await eventsOf({ ...context, onAsked }, headers, bytes)))
        const expectNoOther = async (changed: Headers): Promise<void> => {
          for (const id of await idsOrNone({ ...context, onAsked }, changed, bytes)) {
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
