import { parse } from '../gateway/normalize.ts'
import type { WebhookEvent, Message } from '../ports/event.ts'
import { reversedMembers } from './mutations.ts'
import { dependsOnSignedHeader } from './provider-headers.ts'
import {
  adviceOnKeys,
  adviceOnNumbers,
  adviceOnStableKeys,
  readEvents,
  sortIds,
  ignoresPayload,
  isLossy,
  listLeaves,
} from './provider-keys.ts'
import { type ProviderSample, type SuiteContext, plainHeaders } from './provider-options.ts'
import type { TestRunner } from './runner.ts'

const adviceOnTimes =
  'the time is before 1990, and the sample does not contain it as a date. ' +
  '`occurredAt` is in milliseconds: multiply seconds by 1000'

const oldestTime = Date.UTC(1990, 0)

/** Reports whether a payload contains the time as a date. */
const saysTime = (payload: unknown, time: number): boolean =>
  listLeaves(payload).some((leaf) => typeof leaf === 'string' && Date.parse(leaf) === time)

/** Defines the tests of `normalize`. */
export function testEvents({ describe, it, expect }: TestRunner, context: SuiteContext): void {
  const { provider, samples, ignored, now, encode, encodeSample, promises } = context

  const read = async ({ headers, body }: Omit<ProviderSample, 'kind'>): Promise<readonly WebhookEvent[]> =>
    readEvents(context, headers, encodeSample(body))

  describe('events', () => {
    it('produces each declared kind', async () => {
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
      // Another kind can only be one that the provider passes through unchanged: samples of some of them are enough.
      expect(declared.filter((name) => produced.has(name))).toEqual(declared)
    })

    it('does not produce manual test events from samples', async () => {
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

    it('produces data that survives JSON serialization', async () => {
      for (const sample of samples) {
        for (const { name, data } of await read(sample)) {
          expect(roundTrip(data), `${name}: ${adviceOnData}`).toEqual(data)
        }
      }
    })

    it('produces distinct ids for distinct events', async () => {
      const ids = (await Promise.all(samples.map(read))).flatMap(sortIds)
      expect(new Set(ids).size).toBe(ids.length)
    })

    it('derives every key from the payload', async () => {
      for (const sample of samples) {
        const trial = {
          payload: sample.body,
          readEvents: (body: unknown) => read({ ...sample, body }).catch(() => []),
          others: samples.map(({ body }) => body),
        }
        for (const name of new Set((await read(sample)).map((event) => event.name))) {
          const isIgnored =
            (await ignoresPayload(trial, name)) && !(await dependsOnSignedHeader(context, sample, name))
          expect(isIgnored, `${name}: ${adviceOnKeys}`).toBe(false)
        }
      }
    })

    it('uses no unsafe integer in a key', () => {
      for (const { kind, headers, body } of samples) {
        const bytes = encodeSample(body)
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
      it('produces the same ids for another serialization of the payload', async () => {
        for (const sample of samples) {
          const ids = sortIds(await read(sample))
          const spaced = encode(JSON.stringify(sample.body, null, 2))
          expect(sortIds(await readEvents(context, sample.headers, spaced)), adviceOnStableKeys).toEqual(ids)
          const reversed = await read({ ...sample, body: reversedMembers(sample.body) })
          expect(sortIds(reversed), adviceOnStableKeys).toEqual(ids)
        }
      })
    }

    it('ignores payloads without a kind', async () => {
      for (const delivery of ignored) {
        expect({ of: delivery.headers, ids: sortIds(await read(delivery)) }).toEqual({
          of: delivery.headers,
          ids: [],
        })
      }
    })

    it('produces no event of a known kind from a foreign payload', async () => {
      for (const body of [null, true, 0, '', 'text', [], [null], {}, { type: 'constructor', payload: {} }]) {
        for (const { headers } of [...samples, { headers: {} }]) {
          const reading = readEvents(context, headers, encodeSample(body))
          const events = await reading.catch((): readonly WebhookEvent[] => [])
          const known = events.map(({ name }) => name).filter((name) => !name.endsWith('/unknown'))
          expect({ body, known }).toEqual({ body, known: [] })
        }
      }
    })
  })
}

const longText = 'long '.repeat(20_000)

/** Replacements for members of the data of a manual test. */
const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  '\u0000\u001b[31m\n',
  longText,
  [],
  [{}],
  {},
  { id: {} },
]

/** Messaging services reject longer texts. */
const maximumTitle = 300
const maximumText = 5000

/** Defines the tests of `notify`. */
export function testNotify({ describe, it, expect }: TestRunner, context: SuiteContext): void {
  const { provider, samples, encodeSample, now } = context

  const notify = (event: WebhookEvent): Message | undefined => provider.notify?.(event as never)
  const expectReadable = (message: Message | undefined, kind: string): void => {
    expect({ kind, faults: message === undefined ? [] : findFaults(message) }).toEqual({ kind, faults: [] })
  }

  describe('notify', () => {
    it('produces a readable message for every sample', async () => {
      let messages = 0
      for (const { kind, headers, body } of samples) {
        for (const event of await readEvents(context, headers, encodeSample(body))) {
          const message = notify(event)
          expectReadable(message, kind)
          if (message !== undefined) messages += 1
        }
      }
      expect(messages).not.toBe(0)
    })

    it('produces readable messages for any data of a manual test', async () => {
      for (const { kind, headers, body } of samples) {
        for (const event of await readEvents(context, headers, encodeSample(body))) {
          const { data } = event
          const members = typeof data === 'object' && data !== null ? Object.keys(data) : []
          const odd = [
            {},
            ...oddValues.flatMap((value) => members.map((name) => ({ ...(data as object), [name]: value }))),
          ]
          for (const one of odd) {
            const source = { ...event.source, receivedAt: now, manual: true as const }
            expectReadable(notify({ ...event, data: one, source }), `a manual ${kind}`)
          }
        }
      }
    })
  })
}

/** Lists the faults of a message. */
function findFaults({ title, text, severity, links = [] }: Message): readonly string[] {
  const faults: [fault: string, found: boolean][] = [
    ['no title', title.trim() === ''],
    [`a title over ${maximumTitle} characters`, title.length > maximumTitle],
    ['control characters or lines in the title', hasControls(title)],
    ['no text', text.trim() === ''],
    [`a text over ${maximumText} characters`, text.length > maximumText],
    ['control characters in the text', hasControls(text.replaceAll('\n', ''))],
    ['an unknown severity', !['info', 'warning', 'error'].includes(severity)],
    ['a link without a label', links.some(({ label }) => label.trim() === '')],
    ['a link that is not http', links.some(({ url }) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))],
  ]
  return faults.flatMap(([fault, found]) => (found ? [fault] : []))
}

const hasControls = (text: string): boolean => /[\u0000-\u001f\u007f-\u009f]/.test(text)

const adviceOnData =
  'from the second attempt on, handlers receive data that was stored as JSON. ' +
  'Let the schema return strings or numbers for times, strings for big integers, and no undefined members'

/** Converts data to JSON and back. @returns the error as text for unserializable data */
function roundTrip(data: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(data))
  } catch (error) {
    return String(error)
  }
}
