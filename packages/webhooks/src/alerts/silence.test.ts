import { createDelivery } from '@sallyport/test-support/records'
import { describe, expect, it, vi } from 'vitest'
import { createMemoryInbox } from '../index.ts'
import type { TrafficCount } from '../traffic/index.ts'
import { createMemoryTrafficStore } from '../traffic/memory-store.ts'
import { watchSilence, type SilenceOptions } from './silence.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
// A Thursday.
const now = Date.UTC(2026, 0, 29, 12)
const { signal } = new AbortController()

type Row = readonly [at: number, outcome?: TrafficCount['outcome']]

async function createTraffic(rows: readonly Row[]) {
  const traffic = createMemoryTrafficStore()
  await traffic.add(
    rows.map(([at, outcome = 'accepted']) => ({
      ...{ minute: Math.floor(at / minute) * minute, provider: 'github', outcome },
      ...{ reason: '', count: 1 },
    })),
  )
  return traffic
}

const open = (traffic: ReturnType<typeof createMemoryTrafficStore>, options?: SilenceOptions) =>
  watchSilence({ traffic, inbox: undefined, names: undefined, providers: ['github', 'stripe'] }, options)

/** Deliveries every 20 minutes, if they are expected, until some time before the present. */
const regularly = (silentMs: number, isExpected: (at: Date) => boolean = () => true): readonly Row[] =>
  Array.from({ length: 3 * 24 * 15 }, (_, index) => now - 15 * day + index * 20 * minute)
    .filter((at) => at < now - silentMs && isExpected(new Date(at)))
    .map((at) => [at] as const)

const names = async (rows: readonly Row[], options?: SilenceOptions) =>
  (await open(await createTraffic(rows), options).find(now, signal)).map(({ name }) => name)

describe('a learned time', () => {
  it('is twice the 99th percentile of the gaps, and an hour at least', async () => {
    expect(await names(regularly(50 * minute))).toEqual([])
    expect(await names(regularly(140 * minute))).toEqual(['silent/github'])
  })

  it('is not exceeded by a silence in which the last weeks had no deliveries either', async () => {
    // Between 11 and 15 o'clock.
    const isBusy = (at: Date) => at.getUTCHours() < 8 || at.getUTCHours() > 14
    expect(await names(regularly(4 * hour, isBusy))).toEqual([])
  })

  it('is not exceeded by a gap of chance, where the last weeks had five deliveries', async () => {
    const isQuiet = (at: Date) => at.getUTCHours() >= 7 && at.getUTCHours() < 12
    const rows = regularly(4 * hour, (at) => !isQuiet(at) || at.getUTCMinutes() === 0)
    expect(await names(rows)).toEqual([])
    expect(await names(rows.filter(([at]) => at < now - 6 * hour))).toEqual(['silent/github'])
  })

  it('is compared with the same days: a weekend is no silence, a Friday is', async () => {
    const isWeekday = (at: Date) => at.getUTCDay() % 6 !== 0
    const traffic = await createTraffic(regularly(0, isWeekday))
    const saturday = now + 2.2 * day
    expect((await open(traffic).find(now + day, signal)).map(({ name }) => name)).toEqual(['silent/github'])
    const friday: Row[] = Array.from({ length: 72 * 1.5 }, (_, index) => [now + index * 20 * minute])
    const weekend = await createTraffic([...regularly(0, isWeekday), ...friday])
    expect(await open(weekend).find(saturday, signal)).toEqual([])
  })

  it.each([
    ['two days of data', regularly(5 * hour).filter(([at]) => at > now - 2 * day)],
    ['one delivery a day', regularly(30 * hour, (at) => at.getUTCHours() === 12 && at.getUTCMinutes() === 0)],
    ['no delivery', []],
  ])('needs more than %s', async (_, rows) => {
    expect(await names(rows)).toEqual([])
  })

  it('can be switched off', async () => {
    expect(await names(regularly(5 * hour), { learns: false })).toEqual([])
  })

  it('does not count forged deliveries', async () => {
    expect(await names([...regularly(5 * hour), [now - minute, 'refused']])).toEqual(['silent/github'])
    expect(await names([...regularly(5 * hour), [now - minute, 'ignored']])).toEqual([])
  })
})

describe('a configured time', () => {
  it('precedes the learned one', async () => {
    expect(await names(regularly(5 * hour), { providers: { github: 6 * hour } })).toEqual([])
    expect(await names([[now - 32 * minute]], { providers: { github: 30 * minute } })).toEqual([
      'silent/github',
    ])
  })

  it('begins with the start of the process for a provider without a delivery', async () => {
    const source = open(await createTraffic([]), { providers: { stripe: hour } })
    expect(await source.find(now, signal)).toEqual([])
    expect(await source.find(now + 61 * minute, signal)).toMatchObject([{ name: 'silent/stripe' }])
  })

  it('applies to an endpoint', async () => {
    const inbox = createMemoryInbox()
    await inbox.record({ ...createDelivery(now - 2 * hour, 'doorbell:1'), endpoint: 'acme' })
    const find = (limit: number) =>
      watchSilence(
        { traffic: createMemoryTrafficStore(), inbox, names: undefined, providers: [] },
        { endpoints: { acme: limit } },
      ).find(now, signal)
    expect(await find(3 * hour)).toEqual([])
    expect(await find(hour)).toMatchObject([
      { name: 'endpoint_silent/acme', title: 'Nothing arrives from the endpoint acme' },
    ])
  })
})

it('tells the rule of the service', async () => {
  const source = open(await createTraffic([[now - 3 * hour]]), {
    providers: { github: 2 * hour },
    describeRetries: (provider) => Promise.resolve(`never; ${provider} disables a webhook that fails`),
  })
  const [finding] = await source.find(now, signal)
  expect(finding).toEqual({
    ...{ name: 'silent/github', severity: 'warning', title: 'Nothing arrives from github' },
    text: 'No delivery has arrived for 2 hours; the limit is 2 hours. Check at the service that the webhook exists and is enabled. Its rule for failed deliveries: never; github disables a webhook that fails.',
  })
})

it('ends when a delivery arrives, which a process adds late', async () => {
  const traffic = await createTraffic([[now - 3 * hour]])
  const source = open(traffic, { providers: { github: 2 * hour } })
  expect(await source.find(now, signal)).toHaveLength(1)
  await traffic.add([
    { minute: now - 5 * minute, provider: 'github', outcome: 'duplicate', reason: '', count: 1 },
  ])
  expect(await source.find(now + minute, signal)).toEqual([])
})

it('reads 15 days once, day by day, and then the last hour each minute', async () => {
  const traffic = createMemoryTrafficStore()
  const sum = vi.spyOn(traffic, 'sum')
  const source = open(traffic)
  await source.find(now, signal)
  expect(sum).toHaveBeenCalledTimes(16)
  await source.find(now + 15_000, signal)
  expect(sum).toHaveBeenCalledTimes(16)
  await source.find(now + minute, signal)
  expect(sum).toHaveBeenCalledTimes(17)
  const { from, to } = sum.mock.lastCall![0]
  expect(to - from).toBeLessThanOrEqual(hour + 12 * minute)
})
