import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProcesses } from '../../test/postgres-inbox.ts'
import { getDelivery } from '../../test/records.ts'
import type { InboxTransaction } from './index.ts'
import type { OutgoingEvent } from './within.ts'

const placed = (id: string): OutgoingEvent => ({
  ...{ id, name: 'shop/order.placed', subject: 'order-1', data: { total: 7 } },
})

describeWith('postgres', (postgres) => {
  const database = openProcesses(2, () => ({ ...postgres(), schema: 'sallyport' }))
  let pool: pg.Pool
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: postgres().url })
    await pool.query('create table orders (id text)')
  })
  afterAll(() => pool.end())

  /** A transaction of a team, over its own client of pg. */
  async function transact<T>(
    work: (inbox: InboxTransaction, client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await work(database().within(client), client)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }
  const claimedIds = async () => {
    const claimed = await database().inbox().claim('publish', { limit: 100, leaseMs: 60_000 })
    return claimed.map(({ event }) => event.id)
  }
  const orders = async () =>
    (await pool.query<{ id: string }>('select id from orders')).rows.map(({ id }) => id)

  it('sends what is committed, with the rows of the application, once', async () => {
    const order = (id: string) =>
      transact(async (inbox, client) => {
        await client.query('insert into orders values ($1)', [id])
        return inbox.publish([placed(`shop:${id}`)])
      })
    expect(await order('one')).toEqual({ events: [{ id: 'shop:one', duplicate: false }] })
    expect(await order('one')).toEqual({ events: [{ id: 'shop:one', duplicate: true }] })
    const [claimed] = await database().inbox().claim('publish', { limit: 100, leaseMs: 60_000 })
    expect(claimed?.event).toMatchObject({ ...placed('shop:one'), source: { provider: 'shop' } })
    expect(claimed?.event.ts).toBe(claimed?.event.source.receivedAt)
    expect(await orders()).toEqual(['one', 'one'])
  })

  it('leaves nothing of what is rolled back', async () => {
    const failing = transact(async (inbox, client) => {
      await client.query(`insert into orders values ('undone')`)
      await inbox.publish([placed('shop:undone')])
      await inbox.record(getDelivery('undone'))
      expect(await inbox.once('mailer', 'undone')).toBe(true)
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    expect(await orders()).not.toContain('undone')
    expect(await claimedIds()).toEqual([])
    expect(await transact((inbox) => inbox.once('mailer', 'undone'))).toBe(true)
    expect((await transact((inbox) => inbox.record(getDelivery('undone')))).events).toEqual([
      { id: 'undone', duplicate: false },
    ])
    expect(await claimedIds()).toEqual(['undone'])
  })

  it('lets one of those who handle the same event at once do it, and the other one when that fails', async () => {
    const handle = (fails: boolean) =>
      transact(async (inbox) => {
        const first = await inbox.once('counter', 'event\0\ud800')
        // The other one is waiting by now, or comes too late.
        if (first) await sleep(50)
        if (first && fails) throw new Error('failed')
        return first
      })
    const [failed, next] = await Promise.allSettled([handle(true), handle(true)])
    expect([failed.status, next.status]).toEqual(['rejected', 'rejected'])
    const results = await Promise.all([handle(false), handle(false), handle(false)])
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await transact((inbox) => inbox.once('another', 'event\0\ud800'))).toBe(true)
  })

  it('takes a transaction of Kysely as well, and is a part of it', async () => {
    const failing = database()
      .kysely.transaction()
      .execute(async (transaction) => {
        await database()
          .within(transaction)
          .publish([placed('shop:kysely')])
        throw new Error('undone')
      })
    await expect(failing).rejects.toThrow('undone')
    expect(await claimedIds()).toEqual([])
    await database()
      .kysely.transaction()
      .execute((transaction) =>
        database()
          .within(transaction)
          .publish([placed('shop:kysely')]),
      )
    expect(await claimedIds()).toEqual(['shop:kysely'])
  })

  it('rejects a pool, whose statements would commit separately', () => {
    for (const none of [pool, database().kysely])
      expect(() => database().within(none)).toThrow('A pool is not a transaction')
  })

  it('makes a transaction with the same key wait for its commit', async () => {
    const { recording } = await transact(async (inbox) => {
      await inbox.record(getDelivery('waited-for'))
      return { recording: database(1).inbox().record(getDelivery('waited-for')) }
    })
    expect((await recording).events).toEqual([{ id: 'waited-for', duplicate: true }])
  })

  it('forgets what was handled as it forgets keys', async () => {
    await transact((inbox) => inbox.once('forgetful', 'a'))
    const inbox = database().inbox({ now: () => Date.now() + 1000 })
    while ((await inbox.prune({ keysForMs: 0 })).more);
    expect(await transact((own) => own.once('forgetful', 'a'))).toBe(true)
  })

  it('refuses events that have no source, several, or a name that is too long', async () => {
    const sent = (...names: readonly string[]) =>
      transact((inbox) => inbox.publish(names.map((name) => ({ ...placed(name), name }))))
    await expect(sent('order.placed')).rejects.toBeInstanceOf(TypeError)
    await expect(sent('shop/a', 'bank/b')).rejects.toBeInstanceOf(TypeError)
    expect(await sent()).toEqual({ events: [] })
    // PostgreSQL indexes no such name once it is published: the event was published again and again.
    await expect(sent(`shop/${'x'.repeat(1020)}`)).rejects.toThrow('at most 1024 bytes')
    expect(await sent(`shop/${'y'.repeat(1019)}`)).toMatchObject({ events: [{ duplicate: false }] })
    expect(
      (await sql`select from sallyport.events where name = 'shop/a'`.execute(database().kysely)).rows,
    ).toEqual([])
  })

  it('runs the handler of a consumer once per event, in any process', async () => {
    const { signal } = new AbortController()
    const insert = database().once(
      'orders',
      ({ id }: { id: string }) =>
        (transaction) =>
          sql`insert into public.orders values (${id})`.execute(transaction),
    )
    const id = 'once-by-handler'
    await Promise.all([insert({ id }, signal), insert({ id }, signal)])
    await insert({ id }, signal)
    expect((await orders()).filter((one) => one === id)).toEqual([id])
  })
})
