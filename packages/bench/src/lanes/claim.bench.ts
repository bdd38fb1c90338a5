import type { ClaimedLane, CompleteInbox } from '@sallyport/webhooks'
import type { Benchmark, Sample } from '../frame/benchmark.ts'
import { defineTrial, fullTurnMs } from '../frame/trial.ts'
import { engines, type Engine, type Opened } from './engines.ts'

const names = {
  small: '10,000 lanes, 100,000 events',
  large: '100,000 lanes, 1,000,000 events',
  failing: '100,000 lanes, 1,000,000 events, a failing lane',
}

const sizes = [
  [names.small, 10_000],
  [names.large, 100_000],
  [names.failing, 100_000],
] as const

const eventsPerLane = 10
const failingEvents = 100_000
const claimed = { limit: 50, events: 10, leaseMs: 60_000 }
const claimsFor = (turnMs: number) => Math.round(500 * Math.min(1, turnMs / fullTurnMs))

async function open(engine: Engine, name: string, lanes: number): Promise<Opened> {
  const opened = await engine.open()
  await opened.seed(
    { lanes, events: lanes * eventsPerLane, prefix: 'lane' },
    ...(name === names.failing ? [{ lanes: 1, events: failingEvents, prefix: 'failing' }] : []),
  )
  return opened
}

/** Handles one event of each lane: it fails in the lane that fails, and is published in the others. */
const settle = (lanes: readonly ClaimedLane[]) =>
  lanes.map(({ name, lease, works }) => ({
    name,
    lease,
    settlements: works.slice(0, 1).map(({ event }) => ({
      ...{ id: event.id, lease },
      outcome: name.startsWith('failing')
        ? ({ status: 'retry', afterMs: 0, error: 'Error' } as const)
        : ({ status: 'released' } as const),
    })),
    releases: true,
  }))

async function measure({ claimLanes, settleLanes }: CompleteInbox, count: number): Promise<Sample> {
  if (claimLanes === undefined || settleLanes === undefined) throw new Error('The inbox has no lanes')
  const durations: number[] = []
  for (let turn = 0; turn < count; turn++) {
    const start = performance.now()
    const lanes = await claimLanes(claimed)
    durations.push(performance.now() - start)
    if (lanes.length !== claimed.limit) throw new Error(`A claim returned ${lanes.length} lanes`)
    await settleLanes(settle(lanes))
  }
  durations.sort((a, b) => a - b)
  const at = (part: number) => durations[Math.floor(part * durations.length)] ?? 0
  return { value: at(0.5), also: { p99: at(0.99) } }
}

const createTrial = (engine: Engine): Benchmark =>
  defineTrial<ReadonlyMap<string, Opened>>({
    name: `claim-${engine.id}`,
    what: `A claim of 50 lanes with up to 10 events each on ${engine.name}, between settlements of these lanes: the median, and the 99th percentile in milliseconds.`,
    unit: 'ms',
    base: names.small,
    ratio: 'value',
    rounds: 5,
    target: [
      { side: names.large, atMost: 1.1 },
      { side: names.failing, than: names.large, atMost: 1.1 },
    ],
    async prepare() {
      const opened = new Map<string, Opened>()
      for (const [name, lanes] of sizes) opened.set(name, await open(engine, name, lanes))
      return opened
    },
    async release(opened) {
      for (const { close } of opened.values()) await close()
    },
    sides: sizes.map(([name]) => ({
      name,
      does:
        name === names.failing
          ? 'Ten pending events per lane. Another lane has 100,000 events, whose first one fails again and is due at once.'
          : 'Ten pending events per lane.',
      turn: async (opened, turnMs) => {
        const one = opened.get(name)
        if (one === undefined) throw new Error(`There is no inbox with ${name}`)
        return await measure(one.inbox, claimsFor(turnMs))
      },
    })),
  })

export default engines.map(createTrial)
