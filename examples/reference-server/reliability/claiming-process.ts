// Prints that it is ready and waits for the end of its input. Then claims events in several loops until no event is
// pending. A seed selects the outcome of each claim: most are published, some are retried or released, and some are
// settled after the end of their lease. Prints the tokens of its claims and the ids that it settled under a valid lease.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import type { Settlement } from '@sallyport/webhooks'
import fc from 'fast-check'

const [where = '', seed = '', lease = ''] = process.argv.slice(2)
const leaseMs = Number(lease)
const database = where.startsWith('postgres')
  ? await openPostgres({ url: where })
  : await openSqlite({ path: where })
const inbox = database.inbox()
const tokens = new Set<string>()
const done: string[] = []

const plans = fc.record({
  limit: fc.integer({ min: 1, max: 10 }),
  outcome: fc.constantFrom<Settlement['outcome']>(
    { status: 'done' },
    { status: 'done' },
    { status: 'retry', afterMs: 0, error: 'The bus is unavailable' },
    { status: 'released' },
  ),
  isLate: fc.integer({ min: 1, max: 5 }).map((one) => one === 1),
})

async function work(loop: number): Promise<void> {
  const drawn = fc.sample(plans, { seed: Number(seed) + loop, numRuns: 200 })
  for (let turn = 0; ; turn++) {
    const { limit, outcome, isLate } = drawn[turn % drawn.length] ?? {
      limit: 1,
      outcome: { status: 'done' },
      isLate: false,
    }
    const claimed = await inbox.claim('publish', { limit, leaseMs })
    if (claimed.length === 0) {
      if ((await inbox.stats()).events.pending === 0) return
      await sleep(leaseMs / 10)
      continue
    }
    for (const one of claimed) tokens.add(one.lease)
    if (isLate) await sleep(leaseMs * 1.5)
    const held = await inbox.settle(
      'publish',
      claimed.map(({ event, lease }): Settlement => ({ id: event.id, lease, outcome })),
    )
    if (outcome.status === 'done')
      done.push(...claimed.map(({ event }) => event.id).filter((_, index) => held[index]))
  }
}

process.stdout.write('ready\n')
await once(process.stdin.resume(), 'end')
await Promise.all([1, 2, 3].map(work))
await database.close()
process.stdout.write(JSON.stringify({ tokens: [...tokens], done }))
