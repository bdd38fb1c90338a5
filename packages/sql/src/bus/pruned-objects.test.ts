import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { memoryBodyStore } from '../../test/body-stores.ts'
import { getDelivery } from '../../test/records.ts'
import { openPostgres } from '../postgres/index.ts'

const { signal } = new AbortController()
const later = { now: () => Date.now() + 2 * 60 * 60 * 1000 }

describeWith('postgres', (postgres) => {
  it('deletes the objects of events that become old while others are pruned', async () => {
    const store = memoryBodyStore()
    const options = { url: postgres().url, schema: 'pruned_objects', migrate: true }
    const database = await openPostgres({ ...options, bodies: { store, above: 1000 } })
    const { kysely } = database
    const inbox = database.inbox(later)
    for (const id of ['doorbell:1', 'doorbell:2']) {
      const delivery = getDelivery(id)
      await inbox.record({
        ...delivery,
        events: [{ ...delivery.events[0]!, notify: false, dataIsBody: true }],
      })
    }
    const claimed = await inbox.claim('publish', { limit: 10, leaseMs: 60_000 })
    await database.bus().publish(
      claimed.map(({ event }) => event),
      signal,
    )
    const done = { outcome: { status: 'done' } } as const
    await inbox.settle(
      'publish',
      claimed.map(({ event: { id }, lease }) => ({ id, lease, ...done })),
    )
    await inbox.prune({ publishedForMs: 0, bodiesForMs: 0 })
    expect(store.objects.size).toBe(2)

    const settle = (position: number) =>
      sql`insert into pruned_objects.bus_consumers (name, position)
      values ('one', ${position}) on conflict (name) do update set position = excluded.position`.execute(
        kysely,
      )
    await settle(1)
    const bus = database.bus(later)
    let pruning: Promise<unknown> | undefined
    await kysely.transaction().execute(async (transaction) => {
      await sql`select 1 from pruned_objects.body_objects for update`.execute(transaction)
      pruning = bus.prune({ publishedForMs: 0 })
      const blocked = sql<{ pid: number }>`select pid from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%body_objects%'`
      await expect.poll(async () => (await blocked.execute(kysely)).rows).toHaveLength(1)
      await settle(2)
    })
    await pruning
    await bus.prune({ publishedForMs: 0 })
    await inbox.prune({})
    expect(store.objects.size).toBe(0)
    await database.close()
  })
})
