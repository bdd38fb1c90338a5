import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { doorbell, findFailures, normalize, signature } from '../../test/suite-under-test.ts'
import { defineProvider, hmac, signedId } from '../index.ts'

const events = { 'bell.rung': z.object({ door: z.string() }) }

/** A bell with more in its payload, some of which is refused when it reads otherwise. */
function bell(shape: z.ZodRawShape, getKey: (payload: Readonly<Record<string, unknown>>) => string) {
  const schema = z.object({ door: z.string(), ...shape })
  return defineProvider({
    name: 'doorbell',
    signature,
    events,
    normalize: ({ payload }) => {
      const read = schema.parse(payload) as { readonly door: string }
      return { kind: 'bell.rung', key: [getKey(read)], subject: read.door, data: { door: read.door } }
    },
  })
}

const getSample = (body: object) => ({ kind: 'bell.rung', headers: {}, body: { door: 'front', ...body } })
const ofKeys = ['derives every key from the payload']

describe('testProvider detects a constant key', () => {
  it('with a date', async () => {
    const provider = bell({ at: z.iso.datetime() }, () => 'k')
    const samples = [getSample({ at: '2026-01-15T10:20:30Z' })]
    expect(await findFailures({ provider, samples, ignored: [] })).toEqual(ofKeys)
  })

  it('with an enum value that differs between samples', async () => {
    const provider = bell({ state: z.enum(['open', 'shut']) }, () => 'k')
    const samples = [getSample({ state: 'open' }), getSample({ state: 'shut' })]
    const failed = await findFailures({ provider, samples, ignored: [] })
    expect(failed).toEqual(['produces distinct ids for distinct events', ...ofKeys])
  })
})

describe('testProvider accepts a key', () => {
  it.each([
    ['a date', { at: z.iso.datetime() }, { at: '2026-01-31T23:59:59Z' }],
    ['a word of a few', { at: z.enum(['open', 'shut']) }, { at: 'open' }],
  ])('that is %s', async (_, shape, body) => {
    const provider = bell(shape, ({ at }) => String(at))
    expect(await findFailures({ provider, samples: [getSample(body)], ignored: [] })).toEqual([])
    const another = getSample({ at: body.at === 'open' ? 'shut' : '2025-12-31T23:59:59Z' })
    expect(await findFailures({ provider, samples: [getSample(body), another], ignored: [] })).toEqual([])
  })

  it('that is the signed id of the delivery', async () => {
    const signed = hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header: 'x-bell-signature',
      id: signedId({ header: 'x-bell-id' }),
      content: ({ id, body }) => [id, '.', body],
    })
    const keyed = doorbell({
      signature: signed,
      normalize: (delivery) =>
        [normalize(delivery)]
          .flat()
          .map((one) => ({ ...one, key: [delivery.headers.get('x-bell-id') ?? ''] })),
    })
    expect(await findFailures({ provider: keyed })).toEqual([])
    const undeclared = { ...signed, signedHeaders: [], signedIds: [] }
    expect(await findFailures({ provider: { ...keyed, signature: undeclared } })).toEqual([
      ...ofKeys,
      'produces no second event when unsigned headers change',
    ])
  })
})

it('testProvider detects an unsafe integer in a key', async () => {
  const numbered = defineProvider({
    name: 'doorbell',
    signature,
    events,
    largeIntegers: 'number',
    normalize: ({ payload }) => {
      const { id, door } = z.object({ id: z.number(), door: z.string() }).parse(payload)
      return { kind: 'bell.rung', key: [id], subject: door, data: { door } }
    },
  })
  const failuresFor = async (id: number, told: string[] = []) => {
    const failed = await findFailures({ provider: numbered, samples: [getSample({ id })], ignored: [] }, told)
    return { failed, told }
  }
  expect((await failuresFor(Number.MAX_SAFE_INTEGER - 1)).failed).toEqual([])
  const { failed, told } = await failuresFor(Number('12345678901234567891'))
  expect(failed).toContain('uses no unsafe integer in a key')
  expect(told).toContainEqual(expect.stringContaining('Require ids as strings'))
})
