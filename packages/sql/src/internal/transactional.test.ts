import { type WebhookEvent, type TransactionalHandler } from '@sallyport/webhooks'
import { sql, type QueryExecutorProvider } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeInboxDatabases, type InboxDatabase } from '../../test/inbox-databases.ts'
import { laneDelivery, type LaneInbox } from '../../test/lane-records.ts'
import { getDelivery } from '../../test/records.ts'

const { signal } = new AbortController()
const unlimited = { limit: 10, leaseMs: 60_000 }

describeInboxDatabases((open) => {
  let database: InboxDatabase
  let inbox: ReturnType<InboxDatabase['inbox']>
  beforeEach(async () => {
    database = await open()
    inbox = database.inbox()
    await sql`drop table if exists effects`.execute(database.kysely)
    await sql`create table effects (id text)`.execute(database.kysely)
    await inbox.record(getDelivery('a', { id: 'delivery' }))
  })
  afterEach(() => database.close())

  const insert = (db: QueryExecutorProvider, id: string) =>
    sql`insert into effects values (${id})`.execute(db)
  const handler = () =>
    database.transactional(
      ({ id }: WebhookEvent) =>
        (db) =>
          insert(db, id),
    )
  const effects = async () => {
    const { rows } = await sql<{ id: string }>`select id from effects`.execute(database.kysely)
    return rows.map(({ id }) => id)
  }
  /** Claims the event, and runs a handler under the lease. */
  async function run(
    handle: TransactionalHandler<WebhookEvent>,
    { lease, stop = signal }: { readonly lease?: string; readonly stop?: AbortSignal } = {},
  ): Promise<boolean> {
    const [work] = await inbox.claim('publish', unlimited)
    if (work === undefined) throw new Error('Nothing is due')
    return await handle.runInTransaction(work.event, stop, {
      id: work.event.id,
      lease: lease ?? work.lease,
    })
  }
  const status = async () => {
    const { events } = (await inbox.get('delivery')) ?? {}
    return events?.[0]?.status
  }

  it('commits the effects together with the settlement of the event', async () => {
    expect(await run(handler())).toBe(true)
    expect(await effects()).toEqual(['a'])
    expect(await status()).toBe('published')
    expect(await inbox.claim('notify', unlimited)).toHaveLength(1)
  })

  it('settles an event without effects', async () => {
    expect(await run(database.transactional(() => undefined))).toBe(true)
    expect(await status()).toBe('published')
  })

  it('leaves nothing of an attempt whose lease is lost', async () => {
    expect(await run(handler(), { lease: 'lost' })).toBe(false)
    expect(await effects()).toEqual([])
    expect(await status()).toBe('pending')
  })

  it('leaves nothing of an attempt that throws, in either part', async () => {
    const failing = database.transactional(({ id }: WebhookEvent) => async (db) => {
      await insert(db, id)
      throw new Error('broken')
    })
    await expect(run(failing)).rejects.toThrow('broken')
    expect([await effects(), await status()]).toEqual([[], 'pending'])
    await inbox.record(getDelivery('b'))
    await expect(run(database.transactional(() => Promise.reject(new Error('slow'))))).rejects.toThrow('slow')
  })

  it('leaves nothing of an attempt that was stopped', async () => {
    const controller = new AbortController()
    const slow = database.transactional(({ id }: WebhookEvent) => async (db) => {
      await insert(db, id)
      controller.abort()
    })
    await expect(run(slow, { stop: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect([await effects(), await status()]).toEqual([[], 'pending'])
  })

  it('does not begin the step of an attempt that was stopped before', async () => {
    const controller = new AbortController()
    const step = vi.fn()
    const slow = database.transactional(() => {
      controller.abort()
      return step
    })
    await expect(run(slow, { stop: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(step).not.toHaveBeenCalled()
  })

  it('runs again in a replay', async () => {
    const handle = handler()
    await run(handle)
    await inbox.replay({ ids: ['delivery'] })
    expect(await run(handle)).toBe(true)
    expect(await effects()).toEqual(['a', 'a'])
  })

  describe('in a lane', () => {
    const lanes = () => inbox as typeof inbox & LaneInbox
    async function claim() {
      await inbox.record(
        laneDelivery([
          ['first', 'front'],
          ['second', 'front'],
        ]),
      )
      const [lane] = await lanes().claimLanes({ limit: 1, events: 2, leaseMs: 60_000 })
      if (lane === undefined) throw new Error('Nothing is due')
      const [work] = lane.works
      return { lane, event: work!.event, lease: { lane: lane.name, lease: lane.lease, id: 'first' } }
    }

    it('settles the event, and keeps the lease of the lane', async () => {
      const { lane, event, lease } = await claim()
      const handle = handler()
      expect(await handle.runInTransaction(event, signal, lease)).toBe(true)
      expect(await effects()).toEqual(['first'])
      expect((await inbox.published({ limit: 1 }))[0]?.event.id).toBe('first')
      const held = [{ lane: lane.name, lease: lane.lease }]
      expect(await lanes().renew(held, { leaseMs: 60_000 })).toEqual([true])
      expect(await handle.runInTransaction(event, signal, lease)).toBe(false)
      expect(await effects()).toEqual(['first'])
    })

    it('leaves nothing of an attempt that an earlier settlement has ended', async () => {
      const { lane, event, lease } = await claim()
      const outcome = { status: 'dead', error: 'It took too long' } as const
      const settlements = [{ id: 'first', lease: lane.lease, outcome }]
      await lanes().settleLanes([{ name: lane.name, lease: lane.lease, settlements, releases: false }])
      expect(await handler().runInTransaction(event, signal, lease)).toBe(false)
      expect(await effects()).toEqual([])
    })

    it('leaves nothing without the lease of the lane', async () => {
      const { event, lease } = await claim()
      expect(await handler().runInTransaction(event, signal, { ...lease, lease: 'lost' })).toBe(false)
      expect(await effects()).toEqual([])
    })
  })

  it('refuses a call without a lease', async () => {
    const [work] = await inbox.claim('publish', unlimited)
    await expect(handler()(work!.event, signal)).rejects.toThrow('createWebhooks')
  })
})
