import type { WebhookEvent } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import { describeInboxDatabases, type InboxDatabase } from '../../test/inbox-databases.ts'

const { signal } = new AbortController()

function testDatabase(open: () => Promise<InboxDatabase>): void {
  async function start(
    { bus, consumer }: InboxDatabase,
    handler: (event: WebhookEvent) => unknown,
    options: { readonly attempts?: number; readonly backoff?: { readonly baseMs: number } } = { attempts: 1 },
  ) {
    const started = consumer({ name: 'one', handlers: { 'doorbell/bell.rung': handler }, ...options })
    await started.start()
    return {
      stop: () => started.stop(),
      publish: (...events: readonly string[]) =>
        bus().publish(
          events.map((id) => createEvent(id, 0, { subject: id.split('-')[0] ?? '' })),
          signal,
        ),
    }
  }

  /** Publishes events whose handler fails until the returned function is called. */
  async function fail(database: InboxDatabase, ids: readonly string[]) {
    const handled: string[] = []
    let isRepaired = false
    const consumer = await start(database, ({ id }) => {
      if (!isRepaired) throw new RangeError('secret')
      handled.push(id)
    })
    await consumer.publish(...ids)
    const store = database.consumers()
    await expect.poll(() => store.countDeadLetters('one')).toBe(ids.length)
    return {
      ...{ handled, store, consumer },
      repair: () => {
        isRepaired = true
      },
    }
  }

  it('shows the lag, the failing events and the process of a consumer', async () => {
    const database = await open()
    const before = Date.now()
    const consumer = await start(database, () => Promise.reject(new RangeError('secret')), {
      backoff: { baseMs: 60_000 },
    })
    await consumer.publish('a-1', 'a-2', 'b-1')
    const store = database.consumers()
    await expect.poll(async () => (await store.list())[0]?.failing).toBe(2)
    await expect.poll(async () => (await store.list())[0]?.waiting).toBe(3)
    const [state] = await store.list()
    expect(state).toMatchObject({ name: 'one', pending: 3, deadLetters: 0, lastError: 'RangeError' })
    expect(state!.oldestPendingAt).toBeGreaterThanOrEqual(before - 1000)
    expect(state!.process).toMatch(new RegExp(`:${process.pid}$`))
    const retries = await store.retries({ consumer: 'one', limit: 10 })
    expect(retries.map(({ eventId, failures, error }) => [eventId, failures, error])).toEqual([
      ['a-1', 1, 'RangeError'],
      ['b-1', 1, 'RangeError'],
    ])
    expect(await store.countRetries('one')).toBe(2)
    await consumer.stop()
    expect((await store.list())[0]?.process).toBeUndefined()
    await database.close()
  })

  it('pages dead letters in both directions, without their data', async () => {
    const database = await open()
    const { store, consumer } = await fail(database, ['a-1', 'b-1', 'c-1', 'd-1'])
    const list = async (page: object) =>
      (await store.deadLetters({ consumer: 'one', limit: 2, ...page })).map(({ eventId }) => eventId)
    expect(await list({})).toEqual(['a-1', 'b-1'])
    expect(await list({ offset: 3 })).toEqual(['d-1'])
    const [first, , , last] = await store.deadLetters({ consumer: 'one', limit: 10 })
    expect(await list({ after: first!.sequence })).toEqual(['b-1', 'c-1'])
    expect(await list({ before: last!.sequence })).toEqual(['b-1', 'c-1'])
    expect(first).toMatchObject({ error: 'RangeError', isRetried: false, event: { subject: 'a' } })
    expect(first!.event?.data).toBeUndefined()
    await consumer.stop()
    await database.close()
  })

  it('retries dead letters in their order, and deletes those that are handled', async () => {
    const database = await open()
    const ids = ['a-1', 'a-2', 'a-3', 'b-1']
    const { store, handled, consumer, repair } = await fail(database, ids)
    repair()
    await consumer.publish('a-4')
    await expect.poll(() => handled).toEqual(['a-4'])
    expect(await store.retry('one')).toBe(4)
    await expect.poll(() => handled.length, { timeout: 5000 }).toBe(5)
    expect(handled.filter((id) => id.startsWith('a'))).toEqual(['a-4', 'a-1', 'a-2', 'a-3'])
    await expect.poll(() => store.countDeadLetters('one')).toBe(0)
    expect(await store.retry('one')).toBe(0)
    expect((await store.list())[0]).toMatchObject({ pending: 0, waiting: 0, oldestPendingAt: undefined })
    await consumer.stop()
    await database.close()
  })

  it('keeps a dead letter whose retry fails', async () => {
    const database = await open()
    const { store, consumer } = await fail(database, ['a-1', 'b-1'])
    const [letter] = await store.deadLetters({ consumer: 'one', limit: 1 })
    expect(await store.retry('one', [letter!.sequence])).toBe(1)
    const isRetried = async () => (await store.deadLetters({ consumer: 'one', limit: 1 }))[0]?.isRetried
    await expect.poll(isRetried, { timeout: 5000 }).toBe(false)
    expect(await store.countDeadLetters('one')).toBe(2)
    expect(await store.retry('one', [999])).toBe(0)
    expect(await store.retry('two', [letter!.sequence])).toBe(0)
    await consumer.stop()
    await database.close()
  })

  it('retries a dead letter whose event the bus no longer has', async () => {
    const database = await open()
    const { store, handled, consumer, repair } = await fail(database, ['a-1'])
    repair()
    await database.kysely.deleteFrom('bus_events').execute()
    await store.retry('one')
    await expect.poll(() => handled, { timeout: 5000 }).toEqual(['a-1'])
    await consumer.stop()
    await database.close()
  })

  it('passes over a waiting event that was pruned', async () => {
    const database = await open()
    const handled: string[] = []
    const consumer = await start(database, ({ id }) => handled.push(id))
    const row = { consumer: 'one', sequence: 77, lane: 'gone', failures: 0, error: null, due_at: 0 }
    await database.kysely.insertInto('bus_waiting').values(row).execute()
    const readWaiting = () => database.kysely.selectFrom('bus_waiting').selectAll().execute()
    await expect.poll(readWaiting, { timeout: 5000 }).toEqual([])
    await consumer.stop()
    await database.close()
  })

  it('discards a dead letter, also while it waits for its retry', async () => {
    const database = await open()
    const { store, handled, consumer, repair } = await fail(database, ['a-1', 'a-2'])
    await consumer.stop()
    repair()
    const [first] = await store.deadLetters({ consumer: 'one', limit: 1 })
    await store.retry('one')
    expect(await store.discard('one', first!.sequence)).toBe(true)
    expect(await store.discard('one', first!.sequence)).toBe(false)
    const next = await start(database, ({ id }) => handled.push(id))
    await expect.poll(() => handled, { timeout: 5000 }).toEqual(['a-2'])
    await next.stop()
    await database.close()
  })

  it('removes a consumer that no process runs', async () => {
    const database = await open()
    const { store, consumer } = await fail(database, ['a-1'])
    expect(await store.remove('one')).toBe(false)
    await consumer.stop()
    expect(await store.remove('one')).toBe(true)
    expect([await store.list(), await store.countDeadLetters('one')]).toEqual([[], 0])
    await database.close()
  })
}

describe('the store of consumers', () => {
  describeInboxDatabases(testDatabase)
})
