import { parse } from '../gateway/normalize.ts'
import type { InternalEvent, Message } from '../ports/event.ts'
import { reversedMembers } from './mutations.ts'
import { isOfSignedHeader } from './provider-headers.ts'
import {
  adviceOnKeys,
  adviceOnNumbers,
  adviceOnStableKeys,
  eventsOf,
  idsOf,
  idsOrNone,
  ignoresPayload,
  isLossy,
  leavesOf,
} from './provider-keys.ts'
import { type ProviderSample, type SuiteContext, plainHeaders } from './provider-options.ts'
import type { TestRunner } from './runner.ts'

/** What to do about a time of long ago. */
const adviceOnTimes =
  'no service had webhooks then, and a sample that is so old says so as a date: ' +
  '`occurredAt` is in milliseconds, and what a service tells in seconds is multiplied by 1000'

const oldestTime = Date.UTC(1990, 0)

/** Whether a payload has this time as a date. */
const saysTime = (payload: unknown, time: number): boolean =>
  leavesOf(payload).some((leaf) => typeof leaf === 'string' && Date.parse(leaf) === time)

/** Defines the tests of `normalize`. */
export function testEvents({ describe, it, expect }: TestRunner, context: SuiteContext): void {
  const { provider, samples, ignored, now, encode, bytesOf, promises } = context

  const read = async ({ headers, body }: Omit<ProviderSample, 'kind'>): Promise<readonly InternalEvent[]> =>
    eventsOf(context, headers, bytesOf(body))

  describe('events', () => {
    it('produces exactly the declared kinds', async () => {
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
          expect(journey(data), `${name}: ${adviceOnData}`).toEqual(data)
        }
      }
    })

    it('produces distinct ids for distinct events', async () => {
      const ids = (await Promise.all(samples.map(read))).flatMap(idsOf)
      expect(new Set(ids).size).toBe(ids.length)
    })

    it('derives every key from the payload', async () => {
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

    it('uses no unsafe integer in a key', () => {
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
      it('produces the same ids for another serialization of the payload', async () => {
        for (const sample of samples) {
          const ids = idsOf(await read(sample))
          const spaced = encode(JSON.stringify(sample.body, null, 2))
          expect(idsOf(await eventsOf(context, sample.headers, spaced)), adviceOnStableKeys).toEqual(ids)
          const reversed = await read({ ...sample, body: reversedMembers(sample.body) })
          expect(idsOf(reversed), adviceOnStableKeys).toEqual(ids)
        }
      })
    }

    it('ignores payloads without a kind', async () => {
      for (const delivery of ignored) {
        expect({ of: delivery.headers, ids: idsOf(await read(delivery)) }).toEqual({
          of: delivery.headers,
          ids: [],
        })
      }
    })

    it('produces no event from a foreign payload', async () => {
      for (const body of [null, true, 0, '', 'text', [], [null], {}, { type: 'constructor', payload: {} }]) {
        for (const { headers } of [...samples, { headers: {} }]) {
          expect({ body, ids: await idsOrNone(context, headers, bytesOf(body)) }).toEqual({ body, ids: [] })
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

/** Longer ones are refused by gateways to people, or never read. */
const maximumTitle = 300
const maximumText = 5000

/** Defines the tests of `notify`. */
export function testNotify({ describe, it, expect }: TestRunner, context: SuiteContext): void {
  const { provider, samples, bytesOf, now } = context

  const notify = (event: InternalEvent): Message | undefined => provider.notify?.(event as never)
  const expectReadable = (message: Message | undefined, kind: string): void => {
    expect({ kind, faults: message === undefined ? [] : faultsOf(message) }).toEqual({ kind, faults: [] })
  }

  describe('notify', () => {
    it('produces a readable message for every sample', async () => {
      let messages = 0
      for (const { kind, headers, body } of samples) {
        for (const event of await eventsOf(context, headers, bytesOf(body))) {
          const message = notify(event)
          expectReadable(message, kind)
          if (message !== undefined) messages += 1
        }
      }
      expect(messages).not.toBe(0)
    })

    it('produces readable messages for any data of a manual test', async () => {
      for (const { kind, headers, body } of samples) {
        for (const event of await eventsOf(context, headers, bytesOf(body))) {
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
function faultsOf({ title, text, severity, links = [] }: Message): readonly string[] {
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

/** What to do about data that JSON makes something else of. */
const adviceOnData =
  'handlers are given what JSON makes of data from the second attempt on. ' +
  'Let the schema give texts or numbers for times, texts for big integers, and null or nothing for what is undefined'

/** What a store makes of data; a text where it can make nothing. */
function journey(data: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(data))
  } catch (error) {
    return String(error)
  }
}
