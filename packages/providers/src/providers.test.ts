import type { AnyProvider, WebhookEvent } from '@sallyport/webhooks'
import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { slowTest } from '../test/runner.ts'
import { toBytes, now, secret, send, getUrl } from '../test/send.ts'
import { builtInProviders } from './index.ts'
import { builtInSamples } from './samples.ts'

// Properties of every normalized provider.

const normalized = builtInProviders.filter((provider) => !('service' in provider))

const json = fc.json().map((text) => JSON.parse(text) as unknown)

/** The event that the provider makes of a payload. */
function getEvent(provider: AnyProvider, payload: unknown, headers: Readonly<Record<string, string>>) {
  const delivery = { payload, headers: new Headers(headers), body: new Uint8Array(), receivedAt: now }
  return [provider.normalize(delivery)].flat()
}

describe.each(normalized)('$name', slowTest, (provider) => {
  const load = async () => builtInSamples.get(provider.name)!()

  it('ignores additional fields', async () => {
    const { samples } = await load()
    for (const { body, headers } of samples()) {
      const event = getEvent(provider, body, headers)
      fc.assert(
        fc.property(fc.dictionary(fc.string({ minLength: 1 }).map(added), json), (more) => {
          expect(getEvent(provider, withMore(body, more, handedOn(event)), headers)).toEqual(event)
        }),
        { numRuns: 25 },
      )
    }
  })

  it('reads the same event from another order of fields and other whitespace', async () => {
    const { samples } = await load()
    for (const { body, headers } of samples()) {
      const { events } = await send(provider, body, { headers })
      expect(events).not.toEqual([])
      await fc.assert(
        fc.asyncProperty(
          fc.infiniteStream(fc.nat()),
          fc.constantFrom('', ' ', '\t', '  '),
          async (order, space) => {
            const text = JSON.stringify(shuffled(body, order), null, space)
            const again = await send(provider, text, { headers })
            expect(again.events.map(readFacts)).toEqual(events.map(readFacts))
          },
        ),
        { numRuns: 10 },
      )
    }
  })

  it('reads and announces an event with a lone surrogate in its texts', async () => {
    const { samples } = await load()
    for (const { body, headers } of samples()) {
      for (const text of textsIn(body)) {
        const broken = withText(body, text, `${text}\ud800`)
        const { outcome, events } = await send(provider, broken, { headers })
        expect({ text, outcome }).not.toEqual({ text, outcome: 'quarantined' })
        for (const one of events) expect(() => provider.notify?.(one as never)).not.toThrow()
      }
    }
  })

  it('reads a plain kind of each sample', async () => {
    const { samples } = await load()
    for (const { body, headers } of samples()) {
      const verified = { headers: new Headers(headers), body: new Uint8Array(), receivedAt: now }
      expect(provider.readKind?.({ ...verified, payload: body })).toMatch(/^[\w.:-]{1,64}$/)
    }
    const nothing = { payload: null, headers: new Headers(), body: new Uint8Array(), receivedAt: now }
    expect(provider.readKind?.(nothing) ?? undefined).toBeUndefined()
  })

  it('makes no event of arbitrary payloads', async () => {
    fc.assert(
      fc.property(json, (payload) => {
        expect(getEvent(provider, payload, {})).toEqual([])
      }),
    )
  })

  it('makes a new event of every fresh sample', async () => {
    const { samples } = await load()
    const fresh = { fresh: true, now: () => now }
    const all = [...samples(), ...samples(fresh), ...samples(fresh)]
    const ids = await Promise.all(
      all.map(async ({ body, headers }) =>
        (await send(provider, body, { headers })).events.map(({ id }) => id),
      ),
    )
    expect(ids).not.toContainEqual([])
    expect(new Set(ids.flat()).size).toBe(ids.flat().length)
  })

  it('does not use an id from an unsigned header', async () => {
    const isSigned = (header: string) => provider.signature.signedHeaders?.includes(header) === true
    const { samples } = await load()
    for (const { body, headers } of samples()) {
      const signed = Object.fromEntries(Object.entries(headers).filter(([name]) => isSigned(name)))
      const seen = new Set<string>()
      for (const value of ['1', '2']) {
        const changed = Object.fromEntries(Object.keys(headers).map((name) => [name, value]))
        const more = { 'idempotency-key': value, 'webhook-id': value }
        for (const own of [headers, {}, changed, { ...headers, ...more }]) {
          const { events } = await send(provider, body, { headers: { ...own, ...signed } })
          seen.add(events.map(({ id }) => id).join())
        }
      }
      seen.delete('')
      expect(seen.size).toBe(1)
    }
  })

  it('accepts a marked manual test of each kind', async () => {
    const { sample } = await load()
    for (const kind of Object.keys(provider.events)) {
      const test = { type: kind, payload: { note: 'a test' } }
      const first = await send(provider, test)
      // If the signed time is in the body, a test has it next to its payload.
      const beside = { ...(sample(kind).body as object), ...test }
      const { outcome, events } = first.outcome === '401' ? await send(provider, beside) : first
      expect({ kind, outcome }).toEqual({ kind, outcome: 'accepted' })
      expect(events).toMatchObject([
        { name: `${provider.name}/${kind}`, data: { note: 'a test' }, source: { manual: true } },
      ])
      expect(events[0]?.id.startsWith(`${provider.name}:`)).toBe(true)
    }
  })

  it('rejects an empty secret for signing and verification', async () => {
    const { sample, kinds } = await load()
    const { signature } = provider
    const body = toBytes(sample(kinds[0]!).body)
    const delivery = { method: 'POST', headers: new Headers(), body, url: getUrl(provider) }
    await expect(async () => signature.sign(delivery, '', now)).rejects.toThrow(TypeError)
    // Some schemes decode the secret: they also reject NUL bytes.
    const headers = await Promise.resolve(signature.sign(delivery, '\0', now)).catch(() => ({}))
    const signed = { ...delivery, headers: new Headers(headers) }
    expect(await signature.verify(signed, [''], now)).toMatchObject({ verified: false })
    const proof = await signature.sign(delivery, secret, now)
    expect(await signature.verify({ ...delivery, headers: new Headers(proof) }, [secret], now)).toMatchObject(
      {
        verified: true,
      },
    )
  })

  it.each(['$&', '$$', "$'", '$`', '{body}', '\uFEFF', '\u0000', '\\u0000', 'ä𝄞'])(
    'verifies and reads a body that holds %j',
    async (text) => {
      const { sample, kinds } = await load()
      const { body, headers } = sample(kinds[0]!)
      const { outcome } = await send(provider, withMore(body, { x_note: text }, []), { headers })
      expect(outcome).toBe('accepted')
    },
  )

  it('has consistent names, ids and times', async () => {
    const { samples } = await load()
    for (const { body, headers } of samples()) {
      const { events } = await send(provider, body, { headers })
      for (const [name, value] of events.flatMap(({ data }) => Object.entries(data as object))) {
        expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
        if (value === null) continue
        if (name.endsWith('_id')) expect(value).toBeTypeOf('string')
        if (name.endsWith('_at')) expect(value).toBe(new Date(value as string).toISOString())
      }
    }
  })
})

/** A prefix that no service uses for its fields. */
const added = (name: string): string => `x_${name}`

/** Maps with keys chosen by customers, which are not fields. */
const handedOn = (events: ReturnType<typeof getEvent>): readonly unknown[] =>
  events
    .flatMap(({ data }) => Object.values(data as object) as unknown[])
    .filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value))

/** Adds fields to every object except the given ones. */
function withMore(
  value: unknown,
  more: Readonly<Record<string, unknown>>,
  asTheyAre: readonly unknown[],
): unknown {
  if (Array.isArray(value)) return value.map((one) => withMore(one, more, asTheyAre))
  if (typeof value !== 'object' || value === null) return value
  if (asTheyAre.some((one) => isDeepStrictEqual(one, value))) return value
  const members = Object.entries(value).map(
    ([name, member]) => [name, withMore(member, more, asTheyAre)] as const,
  )
  return Object.fromEntries([...members, ...Object.entries(more)])
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return [...new Set(Object.values(Object(value) as object).flatMap(textsIn))]
}

/** Replaces a text everywhere in a value. */
function withText(value: unknown, from: string, to: string): unknown {
  if (value === from) return to
  if (Array.isArray(value)) return value.map((one) => withText(one, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withText(one, from, to)]))
}

function shuffled(value: unknown, order: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((one) => shuffled(one, order))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, unknown>>)
      .map(([name, member]) => ({ place: Number(order.next().value), name, member }))
      .sort((a, b) => a.place - b.place)
      .map(({ name, member }): readonly [string, unknown] => [name, shuffled(member, order)]),
  )
}

/** The values that are equal in all deliveries. An id can be the hash of the body. */
const readFacts = ({ name, subject, ts, data }: WebhookEvent) => ({ name, subject, ts, data })
