import type { WebhookEvent } from '../ports/event.ts'
import { readEvents, sortIds } from './provider-keys.ts'
import type { ProviderSample } from './provider-options.ts'
import { signing } from './provider-signature.ts'
import type { SuiteContext } from './provider-options.ts'
import type { TestRunner } from './runner.ts'

const adviceOnReading =
  'a replay or a redelivery would produce another event. ' +
  'Use only the delivery and `receivedAt`, no random values and no other clock'

const hour = 3_600_000
const day = 24 * hour

/** The delays change every part of a date. */
const delays = [hour, day + hour, 90 * day, 400 * day]

/** Defines the tests of redeliveries. */
export function testRedelivery(runner: TestRunner, context: SuiteContext): void {
  const { describe, it, expect } = runner
  const { provider, samples, secret, now, encodeSample } = context
  const { signedHeaders = [], signedIds = signedHeaders } = provider.signature
  const { sign } = signing(runner, context)

  /** Returns the headers of a delivery at a time, with a new signature and the signed ids of the first attempt. */
  const sentAt = async (
    { headers, body }: ProviderSample,
    time: number,
    ids: ProviderSample['headers'] = {},
  ): Promise<ProviderSample['headers']> => {
    const all = { ...headers, ...ids }
    return { ...all, ...(await sign(encodeSample(body), secret, all, time)), ...ids }
  }

  describe('redelivery', () => {
    it('produces the same ids for a redelivery at any time', async () => {
      for (const sample of samples) {
        const bytes = encodeSample(sample.body)
        const first = await sentAt(sample, now)
        const ids = Object.fromEntries(Object.entries(first).filter(([name]) => signedIds.includes(name)))
        const expected = sortIds(await readEvents(context, first, bytes))
        for (const delay of delays) {
          const again = await sentAt(sample, now + delay, ids)
          const later = sortIds(await readEvents(context, again, bytes, now + delay))
          expect({ delay, ids: later }).toEqual({ delay, ids: expected })
        }
      }
    })

    it('produces the same events each time', async () => {
      const readAll = async (): Promise<readonly WebhookEvent[]> => {
        const read = ({ headers, body }: ProviderSample) => readEvents(context, headers, encodeSample(body))
        return (await Promise.all(samples.map(read))).flat()
      }
      const first = await readAll()
      letTimePass()
      expect(await readAll(), adviceOnReading).toEqual(first)
    })
  })
}

/** Waits for the next millisecond, with a limit for a stopped clock. */
function letTimePass(): void {
  const before = Date.now()
  for (let asked = 0; asked < 1_000_000 && Date.now() === before; asked++);
}
