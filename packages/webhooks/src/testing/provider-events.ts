import type { InternalEvent } from '../ports/event.ts'
import { parse } from '../gateway/normalize.ts'
import { reversedMembers } from './mutations.ts'
import { adviceOnData, journey } from './provider-data.ts'
import { isOfSignedHeader } from './provider-headers.ts'
import {
  adviceOnKeys,
  adviceOnNumbers,
  adviceOnStableKeys,
  ignoresPayload,
  isLossy,
} from './provider-keys.ts'
import { leavesOf } from './provider-leaves.ts'
import { eventsOf, idsOf, idsOrNone } from './provider-reading.ts'
import { plainHeaders, type ProviderSample } from './provider-sample.ts'
import type { SuiteContext } from './provider-context.ts'
import type { TestRunner } from './runner.ts'

/** What to do about a time of long ago. */
const adviceOnTimes =
  'no service had webhooks then, and a sample that is so old says so as a date: ' +
  '`occurredAt` is in milliseconds, and what a service tells in seconds is multiplied by 1000'

const oldestTime = Date.UTC(1990, 0)

/** Whether a payload has this time as a date. */
const saysTime = (payload: unknown, time: number): boolean =>
  leavesOf(payload).some((leaf) => typeof leaf === 'string' && Date.parse(leaf) === time)

/** The tests of a provider's normalizer. */
export function testEvents({ describe, it, expect }: TestRunner, context: SuiteContext): void {
  const { provider, samples, ignored, now, encode, bytesOf, promises } = context

  const read = async ({ headers, body }: Omit<ProviderSample, 'kind'>): Promise<readonly InternalEvent[]> =>
    eventsOf(context, headers, bytesOf(body))

  describe('events', () => {
    it('produces exactly the kinds that it declares', async () => {
      const produced = new Set<string>()
      for (const sample of samples) {
        const names = (await read(sample)).map(({ name }) => name)
        expect({ sample: sample.kind, yields: names.includes(`${provider.name}/${sample.kind}`) }).toEqual({
          sample: sample.kind,
          yields: true,
        })
        for (const name of names) produced.add(name)
      }
      const declared = Object.keys(provider.events).map((kind) => `${provider.name}/${kind}`)
      expect([...produced].toSorted()).toEqual(declared.toSorted())
    })

    it('sends nothing that reads like a manual test', async () => {
      for (const sample of samples) {
        for (const { source } of await read(sample)) expect(source.manual).toBe(undefined)
      }
    })

    it('gives every event a subject and a time', async () => {
      for (const sample of samples) {
        for (const { name, subject, ts } of await read(sample)) {
          expect(typeof subject === 'string' && subject !== '').toBe(true)
          expect(Number.isSafeInteger(ts) && ts > 0).toBe(true)
          const isRead = ts >= oldestTime || ts === now || saysTime(sample.body, ts)
          expect(isRead ? name : `${name} at ${new Date(ts).toISOString()}`, adviceOnTimes).toBe(name)
        }
      }
    })

    it('gives every event data that is the same after a journey as JSON', async () => {
      for (const sample of samples) {
        for (const { name, data } of await read(sample)) {
          expect(journey(data), `${name}: ${adviceOnData}`).toEqual(data)
        }
      }
    })

    it('gives distinct events distinct ids', async () => {
      const ids = (await Promise.all(samples.map(read))).flatMap(idsOf)
      expect(new Set(ids).size).toBe(ids.length)
    })

    it('takes the key of every event from what is in it', async () => {
      for (const sample of samples) {
        const trial = {
          payload: sample.body,
          eventsOf: (body: unknown) => read({ ...sample, body }).catch(() => []),
          others: samples.map(({ body }) => body),
        }
        for (const name of new Set((await read(sample)).map((event) => event.name))) {
          const isIgnored =
            (await ignoresPayload(trial, name)) && !(await isOfSignedHeader(context, sample, name))
          expect(isIgnored, `${name}: ${adviceOnKeys}`).toBe(false)
        }
      }
    })

    it('gives keys no number that has lost digits', () => {
      for (const { kind, headers, body } of samples) {
        const bytes = bytesOf(body)
        const payload = parse(provider, bytes)
        const found = provider.normalize({
          payload,
          headers: plainHeaders(headers),
          body: bytes,
          receivedAt: now,
        })
        const lossy = [found].flat().flatMap(({ key = [] }) => key.filter(isLossy))
        expect({ kind, lossy }, `${kind}: ${adviceOnNumbers}`).toEqual({ kind, lossy: [] })
      }
    })

    if (promises('stable-key')) {
      it('gives the same ids to another serialization of the same payload', async () => {
        for (const sample of samples) {
          const ids = idsOf(await read(sample))
          const spaced = encode(JSON.stringify(sample.body, null, 2))
          expect(idsOf(await eventsOf(context, sample.headers, spaced)), adviceOnStableKeys).toEqual(ids)
          const reversed = await read({ ...sample, body: reversedMembers(sample.body) })
          expect(idsOf(reversed), adviceOnStableKeys).toEqual(ids)
        }
      })
    }

    it('ignores what it has no kind for', async () => {
      for (const delivery of ignored) {
        expect({ of: delivery.headers, ids: idsOf(await read(delivery)) }).toEqual({
          of: delivery.headers,
          ids: [],
        })
      }
    })

    it('makes no event of a payload that is not the service’s', async () => {
      for (const body of [null, true, 0, '', 'text', [], [null], {}, { type: 'constructor', payload: {} }]) {
        for (const { headers } of [...samples, { headers: {} }]) {
          expect({ body, ids: await idsOrNone(context, headers, bytesOf(body)) }).toEqual({ body, ids: [] })
        }
      }
    })
  })
}
