import { setTimeout as sleep } from 'node:timers/promises'
import { createEvent } from '@sallyport/webhooks/testing'
import type { WebhookEvent } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { describeInboxDatabases, type InboxDatabase } from '../../test/inbox-databases.ts'

const { signal } = new AbortController()

function testDatabase(open: () => Promise<InboxDatabase>): void {
  const publish = async ({ bus }: InboxDatabase, subject: string, count: number, from = 0) => {
    const events = Array.from({ length: count }, (_, index) =>
      createEvent(`${subject}:${String(from + index)}`, 0, { subject }),
    )
    for (let start = 0; start < count; start += 1000)
      await bus().publish(events.slice(start, start + 1000), signal)
    return events.map(({ id }) => id)
  }

  const start = async (
    { consumer }: InboxDatabase,
    handler: (event: WebhookEvent) => unknown,
    options: { readonly attempts?: number; readonly backoff?: { readonly baseMs: number } } = {},
  ) => {
    const handlers = { 'doorbell/bell.rung': handler }
    const started = consumer({ name: 'one', handlers, backoff: { baseMs: 60_000 }, ...options })
    await started.start()
    return started
  }

  const countRows = async ({ kysely }: InboxDatabase, table: 'bus_waiting' | 'bus_settled') => {
    const counting = kysely.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'))
    return (await counting.executeTakeFirstOrThrow()).count
  }

  it.each([110, 10_000])('handles other subjects beside one with %i events that fail', async (count) => {
    const database = await open()
    const handled: string[] = []
    const consumer = await start(database, ({ id, subject }) => {
      if (subject === 'stuck') throw new Error('not yet')
      handled.push(id)
    })
    await publish(database, 'stuck', count)
    await expect.poll(() => countRows(database, 'bus_waiting'), { timeout: 20_000 }).toBeGreaterThan(100)
    const [id] = await publish(database, 'other', 1)
    await expect.poll(() => handled, { timeout: 5000 }).toEqual([id])
    await consumer.stop()
    await database.close()
  })

  it('handles the events of a subject in order after a failure, also those that arrived meanwhile', async () => {
    const database = await open()
    const attempted: string[] = []
    let isFailing = true
    const consumer = await start(
      database,
      ({ id }) => {
        attempted.push(id)
        if (isFailing) throw new Error('not yet')
      },
      { backoff: { baseMs: 0 }, attempts: 1000 },
    )
    const ids = await publish(database, 'front', 150)
    await expect.poll(() => countRows(database, 'bus_waiting')).toBe(150)
    isFailing = false
    const before = attempted.length
    ids.push(...(await publish(database, 'front', 50, 150)))
    await expect.poll(() => countRows(database, 'bus_waiting'), { timeout: 20_000 }).toBe(0)
    ids.push(...(await publish(database, 'front', 5, 200)))
    await expect.poll(() => attempted.at(-1), { timeout: 20_000 }).toBe(ids.at(-1))
    expect(new Set(attempted.slice(0, before))).toEqual(new Set([ids[0]]))
    expect([...new Set(attempted)]).toEqual(ids)
    expect(attempted.slice(-ids.length)).toEqual(ids)
    await consumer.stop()
    expect(await countRows(database, 'bus_settled')).toBe(0)
    await database.close()
  })

  it('handles other subjects beside one whose handler is slow, and then its events in order', async () => {
    const database = await open()
    const handled: string[] = []
    const finish = Promise.withResolvers<undefined>()
    const consumer = await start(database, async ({ id, subject }) => {
      if (subject === 'slow') await finish.promise
      handled.push(id)
    })
    const slow = await publish(database, 'slow', 250)
    await expect.poll(() => countRows(database, 'bus_waiting'), { timeout: 5000 }).toBe(250)
    const [id] = await publish(database, 'other', 1)
    await expect.poll(() => handled, { timeout: 5000 }).toEqual([id])
    finish.resolve(undefined)
    await expect.poll(() => handled.length, { timeout: 20_000 }).toBe(251)
    expect(handled.slice(1)).toEqual(slow)
    await expect.poll(() => countRows(database, 'bus_waiting')).toBe(0)
    await consumer.stop()
    await database.close()
  })

  it('hands an event whose handler was slow to the next process', async () => {
    const database = await open()
    const never = Promise.withResolvers<undefined>()
    const crashed = await start(database, () => never.promise)
    const ids = await publish(database, 'slow', 3)
    await expect.poll(() => countRows(database, 'bus_waiting'), { timeout: 5000 }).toBe(3)
    await database.kysely.updateTable('bus_consumers').set({ lease: null, lease_ends_at: null }).execute()
    const handled: string[] = []
    const next = await start(database, ({ id }) => handled.push(id))
    await expect.poll(() => handled, { timeout: 10_000 }).toEqual(ids)
    never.resolve(undefined)
    await crashed.stop()
    await next.stop()
    expect(await countRows(database, 'bus_waiting')).toBe(0)
    await database.close()
  })

  it('receives few events while the handlers of all subjects fail, and all of them later', async () => {
    const database = await open()
    const handled = new Set<string>()
    let isFailing = true
    const consumer = await start(
      database,
      ({ id }) => {
        if (isFailing) throw new Error('unavailable')
        handled.add(id)
      },
      { backoff: { baseMs: 500 }, attempts: 1000 },
    )
    const events = Array.from({ length: 300 }, (_, index) =>
      createEvent(`doorbell:${index}`, 0, { subject: `door-${index}` }),
    )
    await database.bus().publish(events, signal)
    await expect.poll(() => countRows(database, 'bus_waiting'), { timeout: 5000 }).toBeGreaterThanOrEqual(100)
    await sleep(1500)
    expect(await countRows(database, 'bus_waiting')).toBeLessThan(210)
    isFailing = false
    await expect.poll(() => handled.size, { timeout: 20_000 }).toBe(300)
    await consumer.stop()
    await database.close()
  })

  it('keeps the order of a subject when processes lose their lease in the middle', async () => {
    const database = await open()
    const handled: string[] = []
    let attempts = 0
    const handle = ({ id, subject }: WebhookEvent) => {
      if (subject === 'front' && ++attempts % 3 === 0) throw new Error('not yet')
      if (!handled.includes(id)) handled.push(id)
    }
    const options = { backoff: { baseMs: 0 }, attempts: 1000 }
    const consumers = [await start(database, handle, options), await start(database, handle, options)]
    const front = await publish(database, 'front', 100)
    const back = await publish(database, 'back', 100)
    for (let count = 0; count < 3; count++) {
      await expect.poll(() => handled.length, { timeout: 20_000 }).toBeGreaterThan(100 + count * 10)
      // As if the process had ended.
      await database.kysely.updateTable('bus_consumers').set({ lease: null, lease_ends_at: null }).execute()
    }
    await expect.poll(() => handled.length, { timeout: 25_000 }).toBe(200)
    expect(handled.filter((id) => id.startsWith('front'))).toEqual(front)
    expect(handled.filter((id) => id.startsWith('back'))).toEqual(back)
    for (const consumer of consumers) await consumer.stop()
    expect(await countRows(database, 'bus_waiting')).toBe(0)
    await database.close()
  })
}

describe('waiting events', () => {
  describeInboxDatabases(testDatabase)
})
