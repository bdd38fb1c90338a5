import { eventsOf, idsOf, idsOrNone } from './provider-reading.ts'
import { signedNamesOf, withoutHeader, type ProviderSample } from './provider-sample.ts'
import type { SuiteContext } from './provider-context.ts'
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

/** The tests of what a provider makes of headers that anybody can change. */
export function testHeaders({ describe, it, expect }: TestRunner, context: SuiteContext): void {
  const { samples, ignored, bytesOf } = context

  describe('headers', () => {
    it('makes no second event of a delivery whose unsigned headers were changed', async () => {
      const seen = new Map<string, Set<string>>()
      for (const { headers } of [...samples, ...ignored]) {
        const signed = signedAmong(context, headers)
        for (const [name, value] of Object.entries(headers).filter(([one]) => !Object.hasOwn(signed, one))) {
          seen.set(name, (seen.get(name) ?? new Set(['', 'changed', '0', 'constructor'])).add(value))
        }
      }
      for (const { kind, headers, body } of samples) {
        const bytes = bytesOf(body)
        const first = new Set(idsOf(await eventsOf(context, headers, bytes)))
        const tries = [signedAmong(context, headers)]
        for (const [name, values] of seen) {
          tries.push(
            withoutHeader(headers, name),
            ...[...values].map((value) => ({ ...headers, [name]: value })),
          )
        }
        for (const changed of tries) {
          for (const id of await idsOrNone(context, changed, bytes)) {
            expect({ kind, changed, second: first.has(id) ? null : id }).toEqual({
              kind,
              changed,
              second: null,
            })
          }
        }
      }
    })
  })
}
