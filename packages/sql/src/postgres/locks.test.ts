import { describeWith } from '@sallyport/test-support/services'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { deliveryOfAll, openProcesses } from '../../test/postgres-inbox.ts'
import { getDelivery } from '../../test/records.ts'
import { openPostgres } from './index.ts'

const { signal } = new AbortController()

describeWith('postgres', (postgres) => {
  const database = openProcesses(3, postgres)
  const [first, second] = [() => database(0), () => database(1)]

  async function waiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database().kysely)
    return rows[0]!.count
  }

  /** Runs steps, each of which has to wait for a lock, while another transaction holds one; it is rolled back. */
  async function holding<T>(lock: RawBuilder<unknown>, steps: readonly (() => Promise<T>)[]): Promise<T[]> {
    const started: Promise<T>[] = []
    const end = new Error('rolled back')
    const held = database(2)
      .kysely.transaction()
      .execute(async (transaction) => {
        await lock.execute(transaction)
        for (const step of steps) {
          started.push(step())
          await expect.poll(waiting).toBe(started.length)
        }
        throw end
      })
    await expect(held).rejects.toBe(end)
    return Promise.all(started)
  }

  async function claimed(keys: readonly string[]) {
    const inbox = first().inbox()
    await inbox.record(deliveryOfAll(keys))
    const works = await inbox.claim('publish', { limit: 100, leaseMs: 60_000 })
    return (key: string) => {
      const { lease } = works.find(({ event }) => event.id === key)!
      return { id: key, lease, outcome: { status: 'done' } } as const
    }
  }

  it('two who record the same keys in another order take turns', async () => {
    const lock = sql`insert into idempotency_keys (scope, key, created_at) values ('event', 'keys:m', 0)`
    const results = await holding(lock, [
      () =>
        first()
          .inbox()
          .record(deliveryOfAll(['keys:b', 'keys:m', 'keys:a'])),
      () =>
        second()
          .inbox()
          .record(deliveryOfAll(['keys:a', 'keys:b'])),
    ])
    expect(results.map(({ events }) => events.map(({ duplicate }) => duplicate))).toEqual([
      [false, false, false],
      [true, true],
    ])
  })

  // It was said to be erased, and published with its data.
  it('an erasure waits for a concurrent resolve and finds its event', async () => {
    const inbox = first().inbox()
    const { events, ...delivery } = getDelivery('resolved:a', { id: 'resolved:delivery' })
    await inbox.record({ ...delivery, events: [], quarantine: { key: 'resolved:key', reason: 'x' } })
    const lock = sql`insert into idempotency_keys (scope, key, created_at) values ('event', 'resolved:a', 0)`
    const [resolved, erased] = await holding<unknown>(lock, [
      () => inbox.resolve(delivery.id, events),
      () => inbox.eraseBody(delivery.id).catch((error: unknown) => error),
    ])
    expect(resolved).toMatchObject({ events: [{ id: 'resolved:a', duplicate: false }] })
    expect(erased).toMatchObject({ code: 'CONFLICT' })
    expect((await inbox.get(delivery.id))?.bodyState).toBe('stored')
  })

  it('two who revive the same dead letters in another order take turns', async () => {
    const keys = ['dead:x', 'dead:y', 'dead:z']
    const held = await claimed(keys)
    const buried = { status: 'dead', error: 'x' } as const
    await first()
      .inbox()
      .settle(
        'publish',
        keys.map((key) => ({ ...held(key), outcome: buried })),
      )
    await holding(sql`select from events where id = 'dead:y' for update`, [
      () => first().inbox().record(deliveryOfAll(keys.toReversed())),
      () =>
        second()
          .inbox()
          .record(deliveryOfAll(['dead:x', 'dead:z'])),
    ])
    expect((await first().inbox().claim('publish', { limit: 10, leaseMs: 60_000 })).length).toBe(3)
  })

  it('two who settle the same work in another order take turns: it ends once', async () => {
    const held = await claimed(['end:x', 'end:y', 'end:z'])
    const settled = await holding(sql`select from events where id = 'end:y' for update`, [
      () => first().inbox().settle('publish', ['end:z', 'end:y', 'end:x'].map(held)),
      () => second().inbox().settle('publish', ['end:x', 'end:z'].map(held)),
    ])
    expect(settled).toEqual([
      [true, true, true],
      [false, false],
    ])
  })

  it('publications become visible in the order of their numbers', async () => {
    const held = await claimed(['order:a', 'order:b'])
    const before = await first().inbox().published({ limit: 100 })
    const lock = sql`insert into notifications (event, provider, status, attempts, since, due_at)
      select sequence, provider, 'pending', 0, 0, 0 from events where id = 'order:a'`
    await holding(lock, [
      () =>
        first()
          .inbox()
          .settle('publish', [held('order:a')]),
      () =>
        second()
          .inbox()
          .settle('publish', [held('order:b')]),
    ])
    const after = (await first().inbox().published({ limit: 100 })).slice(before.length)
    expect(after.map(({ event }) => event.id)).toEqual(['order:a', 'order:b'])
  })

  it('what is on the bus becomes visible in the order of its numbers', async () => {
    const publish = (process: typeof first, ...ids: string[]) =>
      process()
        .bus()
        .publish(
          ids.map((id) => getDelivery(id).events[0]!.event),
          signal,
        )
    await holding(sql`insert into bus_events (id, event, published_at) values ('bus:held', '', 0)`, [
      () => publish(first, 'bus:a', 'bus:held'),
      () => publish(second, 'bus:b'),
    ])
    const seen = await first().bus().read({ limit: 100 })
    expect(seen.map(({ event }) => event.id)).toEqual(['bus:a', 'bus:held', 'bus:b'])
  })

  it('a claim skips rows that another transaction has locked', async () => {
    await first()
      .inbox()
      .record(deliveryOfAll(['skip:a', 'skip:b']))
    const claims = database(2)
      .kysely.transaction()
      .execute(async (transaction) => {
        await sql`select from events where id = 'skip:a' for update`.execute(transaction)
        return first().inbox().claim('publish', { limit: 10, leaseMs: 60_000 })
      })
    expect((await claims).map(({ event }) => event.id)).toEqual(['skip:b'])
  })

  // A deadlock would be resolved and tried again: only the server knows of it.
  afterAll(async () => {
    await Promise.all([0, 1, 2].map((index) => database(index).close()))
    const own = await openPostgres(postgres())
    const { rows } = await sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(own.kysely)
    await own.close()
    expect(rows).toEqual([{ deadlocks: 0 }])
  })
})
