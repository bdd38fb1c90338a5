import { openPostgres, type InboxTables } from '@sallyport/sql/postgres'
import type { ClaimedLane, CompleteInbox } from '@sallyport/webhooks'
import type { Sample } from '../frame/benchmark.ts'
import { defineTrial, fullTurnMs } from '../frame/trial.ts'
import { createDatabase } from '../server/postgres.ts'
import { seedLanes } from './seed-lanes.ts'

interface Opened {
  readonly inbox: CompleteInbox
  readonly close: () => Promise<void>
}

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

/** The timeout of a statement that inserts many rows. */
const seedTimeoutMs = 600_000

async function open(name: string, lanes: number): Promise<Opened> {
  const { url, drop } = await createDatabase()
  const database = await openPostgres({ url, statementTimeoutMs: seedTimeoutMs })
  await database.migrate()
  const kysely = database.kysely.$extendTables<InboxTables>()
  await seedLanes(kysely, { lanes, events: lanes * eventsPerLane, prefix: 'lane' })
  if (name === names.failing) await seedLanes(kysely, { lanes: 1, events: failingEvents, prefix: 'failing' })
  const close = async () => {
    await database.close()
    await drop()
  }
  return { inbox: database.inbox(), close }
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

export default defineTrial<ReadonlyMap<string, Opened>>({
  name: 'claim',
  what: 'A claim of 50 lanes with up to 10 events each on PostgreSQL, between settlements of these lanes: the median, and the 99th percentile in milliseconds.',
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
    for (const [name, lanes] of sizes) opened.set(name, await open(name, lanes))
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
