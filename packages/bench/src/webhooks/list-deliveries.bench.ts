import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import type { CompleteInbox, DeliveryFilter } from '@sallyport/webhooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark, Sample } from '../frame/benchmark.ts'
import { defineTrial } from '../frame/trial.ts'
import { createDatabase } from '../server/postgres.ts'
import { firstReceivedAt, intervalMs, seedDeliveries } from './seed-deliveries.ts'

const sizes = [
  ['10,000 deliveries', 10_000],
  ['1,000,000 deliveries', 1_000_000],
  ['10,000,000 deliveries', 10_000_000],
] as const

/** The filters of a page of operators, by the heading of their column. Each finds deliveries at every size. */
const filters: Readonly<Record<string, DeliveryFilter>> = {
  'no filter': {},
  provider: { provider: 'provider-7' },
  endpoint: { endpoint: 'endpoint-8' },
  pending: { status: 'pending' },
  dead: { status: 'dead' },
  quarantined: { status: 'quarantined' },
  reason: { reason: 'NORMALIZER_FAILED' },
  kind: { kind: 'kind.7' },
  'kind prefix': { kind: 'kind.*', provider: 'provider-7' },
  subject: { subject: 'octo-org/repo-77/runs/77' },
  'rare text': { text: 'octo-org/repo-77/' },
  'wide text': { text: 'octo-org/' },
  'event id': { eventId: 'event-99' },
  id: { id: 'delivery-99' },
  error: { error: 'TimeoutError' },
  attempts: { minAttempts: 5 },
  period: {
    receivedAfter: firstReceivedAt + 5000 * intervalMs,
    receivedBefore: firstReceivedAt + 6000 * intervalMs,
  },
}

const repetitions = 30

/** The timeout of a statement that inserts many rows. */
const seedTimeoutMs = 600_000

interface Seeded {
  readonly inboxes: ReadonlyMap<string, Pick<CompleteInbox, 'list'>>
  readonly close: () => Promise<void>
}

async function openAll(open: (count: number) => Promise<Opened>): Promise<Seeded> {
  const opened: Opened[] = []
  const close = async () => {
    for (const one of opened) await one.close()
  }
  try {
    const inboxes = new Map<string, Opened['inbox']>()
    for (const [name, count] of sizes) {
      const one = await open(count)
      opened.push(one)
      inboxes.set(name, one.inbox)
    }
    return { inboxes, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Opened {
  readonly inbox: Pick<CompleteInbox, 'list'>
  readonly close: () => Promise<void>
}

async function openSqliteInbox(count: number): Promise<Opened> {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  const database = await openSqlite({ path: join(directory, 'inbox.db') })
  const close = async () => {
    await database.close()
    await rm(directory, { recursive: true, force: true })
  }
  await seedDeliveries(database.kysely, 'sqlite', count)
  return { inbox: database.inbox(), close }
}

async function openPostgresInbox(count: number): Promise<Opened> {
  const { url, drop } = await createDatabase()
  const database = await openPostgres({ url, statementTimeoutMs: seedTimeoutMs })
  const close = async () => {
    await database.close()
    await drop()
  }
  await database.migrate()
  await seedDeliveries(database.kysely, 'postgres', count)
  return { inbox: database.inbox(), close }
}

/** Returns the sum of the median durations of all filters, and each median. */
async function measure(inbox: Pick<CompleteInbox, 'list'>): Promise<Sample> {
  const also: Record<string, number> = {}
  for (const [name, filter] of Object.entries(filters)) {
    const durations: number[] = []
    for (let turn = 0; turn < repetitions; turn++) {
      const start = performance.now()
      const found = await inbox.list({ ...filter, limit: 50 })
      durations.push(performance.now() - start)
      if (found.length === 0) throw new Error(`No delivery matches the filter "${name}"`)
    }
    also[name] = durations.sort((a, b) => a - b)[repetitions / 2] ?? 0
  }
  return { value: Object.values(also).reduce((sum, ms) => sum + ms, 0), also }
}

const define = (kind: 'sqlite' | 'postgres', title: string): Benchmark =>
  defineTrial<Seeded>({
    name: `list-deliveries-${kind}`,
    what: `A list of 50 deliveries by each filter of the operations API in ${title}: the sum, and the median of each in milliseconds.`,
    unit: 'ms',
    base: sizes[0][0],
    ratio: 'value',
    rounds: 3,
    target: { side: sizes[2][0], atMost: 1.5 },
    prepare: () => openAll(kind === 'sqlite' ? openSqliteInbox : openPostgresInbox),
    release: ({ close }) => close(),
    sides: sizes.map(([name]) => ({
      name,
      does: 'One event per delivery, 20 providers, 50 kinds each, 1 % dead letters, 1 % in quarantine, 200 pending.',
      turn: ({ inboxes }) => {
        const inbox = inboxes.get(name)
        if (inbox === undefined) throw new Error(`There is no inbox with ${name}`)
        return measure(inbox)
      },
    })),
  })

export default [define('sqlite', 'SQLite'), define('postgres', 'PostgreSQL')]
