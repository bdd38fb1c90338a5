import { describe, expect, it } from 'vitest'
import { doorbell, findFailures, normalize, samples } from '../../test/suite-under-test.ts'
import type { DeliveryHeaders } from '../index.ts'

const ofHeaders = ['produces no second event when unsigned headers change']

/** A provider whose key depends on a header. */
const keyedBy = (part: (headers: DeliveryHeaders) => string | number) =>
  doorbell({
    normalize: (delivery) =>
      [normalize(delivery)]
        .flat()
        .map((one) => ({ ...one, key: [...(one.key ?? []), part(delivery.headers)] })),
  })

/** Samples that show nothing of what a provider may ask for. */
const bare = samples.map((sample) => ({ ...sample, headers: {} }))
const failuresFor = (part: (headers: DeliveryHeaders) => string | number) =>
  findFailures({ provider: keyedBy(part), samples: bare, ignored: [] })

const all = (headers: DeliveryHeaders) => Object.fromEntries(headers)

// Only headers that samples have were once changed.
describe('testProvider detects a key with a header that no sample has', () => {
  it.each<[string, (headers: DeliveryHeaders) => string | number]>([
    ['as it is', (headers) => headers.get('x-delivery-attempt') ?? ''],
    ['under a name of any case', (headers) => headers.get('X-Bell-Turn') ?? ''],
    ['as a number', (headers) => Number(headers.get('x-delivery-attempt') ?? 1)],
    ['as a time', (headers) => new Date(headers.get('x-bell-time') ?? '2026-01-05').getUTCDate()],
    [
      'after another header',
      (headers) => (headers.get('x-bell-retry') === '1' ? (headers.get('x-bell-turn') ?? '') : ''),
    ],
    ['among all of them', (headers) => all(headers)['x-delivery-attempt'] ?? ''],
    ['in what all of them are', (headers) => JSON.stringify(all(headers))],
  ])('%s', async (_, part) => {
    expect(await failuresFor(part)).toEqual(ofHeaders)
  })
})

describe('testProvider accepts a provider that', () => {
  it('reads headers without using them in events', async () => {
    expect(await failuresFor((headers) => (headers.get('x-bell-turn') === 'none' ? 1 : 1))).toEqual([])
  })

  it('rejects a delivery with a wrong header', async () => {
    const wary = keyedBy((headers) => {
      if (headers.get('x-bell-event') !== null) throw new Error('It is of another event')
      return 'k'
    })
    expect(await findFailures({ provider: wary, samples: bare, ignored: [] })).toEqual([])
  })
})
