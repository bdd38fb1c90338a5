import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  doorbell,
  events,
  findFailures,
  normalize,
  samples,
  type Doorbell,
  type Found,
} from '../../test/suite-under-test.ts'
import { hmac, signedId, signedTime, type VerifiedDelivery } from '../index.ts'

/** The bell, whose events say something else. */
const saying = (
  change: (event: Found, delivery: VerifiedDelivery) => Found,
  changes: Partial<Doorbell> = {},
) =>
  doorbell({
    normalize: (delivery) => [normalize(delivery)].flat().map((one) => change(one, delivery)),
    notify: () => ({ title: 'The bell', text: 'At the door', severity: 'info' }),
    ...changes,
  })

const keyed = (partOf: (delivery: VerifiedDelivery) => string | number, changes: Partial<Doorbell> = {}) =>
  saying((one, delivery) => ({ ...one, key: [...(one.key ?? []), partOf(delivery)] }), changes)

const ofRedeliveries = ['produces the same ids for a redelivery at any time']
const ofReading = ['produces the same events each time']
const ofTimes = ['gives every event a subject and a time']

describe('testProvider detects a key with', () => {
  const partOfDate = (part: (date: Date) => number) => (delivery: VerifiedDelivery) =>
    part(new Date(delivery.receivedAt))

  // All but the first once passed: a redelivery came an hour later, on the same day.
  it.each([
    ['the time', keyed(({ receivedAt }) => receivedAt)],
    ['the day', keyed(partOfDate((date) => date.getUTCDate()))],
    ['the month', keyed(partOfDate((date) => date.getUTCMonth()))],
    ['the year', keyed(partOfDate((date) => date.getUTCFullYear()))],
  ])('%s of receipt', async (_, provider) => {
    expect(await findFailures({ provider })).toEqual(ofRedeliveries)
  })

  const stamped = hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-bell-signature',
    id: signedId({ header: 'x-bell-id' }),
    timestamp: signedTime({ header: 'x-bell-time' }),
    content: ({ id, timestamp, body }) => [id, '.', timestamp, '.', body],
  })

  it('the signed time, but accepts the signed id', async () => {
    const of = (name: string) => keyed(({ headers }) => headers.get(name) ?? '', { signature: stamped })
    const plain = samples.map((sample) => ({ ...sample, headers: {} }))
    const failuresFor = (name: string) =>
      findFailures({ provider: of(name), samples: plain, ignored: [], toleranceMs: 300_000 })
    expect(await failuresFor('x-bell-time')).toEqual(ofRedeliveries)
    expect(await failuresFor('x-bell-id')).toEqual([])
  })
})

describe('testProvider detects differences between two normalizations:', () => {
  const numbered = { ...events, 'bell.rung': z.object({ door: z.string(), at: z.number() }) }
  const withData = (at: () => number) =>
    saying((one) => ({ ...one, data: { ...one.data, at: at() } }), {
      events: numbered as unknown as typeof events,
    })

  it('data that changes each time', async () => {
    let readings = 0
    expect(await findFailures({ provider: withData(() => ++readings) })).toEqual(ofReading)
  })

  it('data with the time of day', async () => {
    expect(await findFailures({ provider: withData(Date.now) })).toEqual(ofReading)
    expect(await findFailures({ provider: withData(() => 1) })).toEqual([])
  })

  it('a time that is not from the delivery', async () => {
    const told: string[] = []
    const provider = saying((one) => ({ ...one, occurredAt: Date.now() }))
    expect(await findFailures({ provider }, told)).toEqual(ofReading)
    expect(told).toEqual([expect.stringContaining('no other clock')])
    const received = saying((one, { receivedAt }) => ({ ...one, occurredAt: receivedAt }))
    expect(await findFailures({ provider: received })).toEqual([])
  })
})

describe('testProvider detects a time', () => {
  const at = (time: (told: unknown) => number) =>
    saying((one, { payload }) => ({ ...one, occurredAt: time((payload as { at?: unknown }).at) }))
  const telling = (told: unknown) =>
    samples.map((sample) => ({ ...sample, body: { ...(sample.body as object), at: told } }))
  const inSeconds = Date.UTC(2026, 0, 14) / 1000

  it('in seconds', async () => {
    const told: string[] = []
    const options = { samples: telling(inSeconds), ignored: [] }
    expect(await findFailures({ ...options, provider: at(Number) }, told)).toEqual(ofTimes)
    expect(told).toEqual([expect.stringContaining('multiply seconds by 1000')])
    expect(await findFailures({ ...options, provider: at((told) => Number(told) * 1000) })).toEqual([])
  })

  it('before 1990, unless the sample has the date', async () => {
    const provider = at((told) => Date.parse(String(told)))
    expect(await findFailures({ provider, samples: telling('1987-06-05T04:03:02Z'), ignored: [] })).toEqual(
      [],
    )
    const early = at(() => Date.UTC(1987, 5, 5))
    expect(await findFailures({ provider: early, samples: telling('2026-01-14'), ignored: [] })).toEqual(
      ofTimes,
    )
  })
})
