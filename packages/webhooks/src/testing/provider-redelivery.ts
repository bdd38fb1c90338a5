import type { InternalEvent } from '../ports/event.ts'
import { eventsOf, idsOf } from './provider-keys.ts'
import type { ProviderSample } from './provider-options.ts'
import { signing } from './provider-signature.ts'
import type { SuiteContext } from './provider-options.ts'
import type { TestRunner } from './runner.ts'

/** What to do about a reading that is another each time. */
const adviceOnReading =
  'a delivery that is replayed or comes again would tell something else. ' +
  'Take everything that an event says from the delivery: nothing random, and no clock but `receivedAt`'

const hour = 3_600_000
const day = 24 * hour

/** Within a day, on the next one, and in another month and year, so that no part of a date stays the same. */
const delays = [hour, day + hour, 90 * day, 400 * day]

/** Defines the tests of redeliveries. */
export function testRedelivery(runner: TestRunner, context: SuiteContext): void {
  const { describe, it, expect } = runner
  const { provider, samples, secret, now, bytesOf } = context
  const { signedHeaders = [], signedIds = signedHeaders } = provider.signature
  const { sign } = signing(runner, context)

  /** The headers as the service sends them at a time: signed anew, with the signed ids of the first time. */
  const sentAt = async (
    { headers, body }: ProviderSample,
    time: number,
    ids: ProviderSample['headers'] = {},
  ): Promise<ProviderSample['headers']> => {
    const all = { ...headers, ...ids }
    return { ...all, ...(await sign(bytesOf(body), secret, all, time)), ...ids }
  }

  describe('redelivery', () => {
    it('produces the same ids for a redelivery at any time', async () => {
      for (const sample of samples) {
        const bytes = bytesOf(sample.body)
        const first = await sentAt(sample, now)
        const ids = Object.fromEntries(Object.entries(first).filter(([name]) => signedIds.includes(name)))
        const expected = idsOf(await eventsOf(context, first, bytes))
        for (const delay of delays) {
          const again = await sentAt(sample, now + delay, ids)
          const later = idsOf(await eventsOf(context, again, bytes, now + delay))
          expect({ delay, ids: later }).toEqual({ delay, ids: expected })
        }
      }
    })

    it('produces the same events each time', async () => {
      const readAll = async (): Promise<readonly InternalEvent[]> => {
        const read = ({ headers, body }: ProviderSample) => eventsOf(context, headers, bytesOf(body))
        return (await Promise.all(samples.map(read))).flat()
      }
      const first = await readAll()
      letTimePass()
      expect(await readAll(), adviceOnReading).toEqual(first)
    })
  })
}

/** Until another millisecond has begun; not for ever, where a test or a host has stopped the clock. */
function letTimePass(): void {
  const before = Date.now()
  for (let asked = 0; asked < 1_000_000 && Date.now() === before; asked++);
}
