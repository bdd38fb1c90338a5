import { describeWith } from '@sallyport/test-support/services'
import {
  createDispatcher,
  createMemoryInbox,
  type Attempt,
  type CompleteInbox,
  type WebhookEvent,
} from '@sallyport/webhooks'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/sqlite/index.ts'
import { newPath, removeFiles } from './files.ts'
import { openProcesses } from './postgres-inbox.ts'
import { getDelivery } from './records.ts'

/** Defines how a dispatcher treats an outage of the bus, for any inbox. */
function testOutage(open: () => Promise<CompleteInbox>): void {
  /** A bus that is down until it is repaired; one event fails even then. */
  async function situation() {
    const inbox = await open()
    const published: string[] = []
    const attempts: Attempt[] = []
    let isDown = true
    const answer = ({ id }: WebhookEvent) => {
      if (id === 'poison') return { ok: false, retryable: true, error: 'unsupported' } as const
      published.push(id)
      return { ok: true } as const
    }
    const dispatcher = createDispatcher({
      inbox,
      publisher: {
        publish: (events) =>
          isDown ? Promise.reject(new Error('Connection refused')) : Promise.resolve(events.map(answer)),
      },
      pollMs: 100,
      batchSize: 5,
      concurrency: 1,
      // A failed event that waits for its own back-off is published after the end of the test.
      backoff: { baseMs: 3_600_000 },
      random: () => 0.9,
      onAttempt: (attempt) => attempts.push(attempt),
    })
    const attemptsAt = (id: string) => attempts.filter(({ event }) => event.id === id).length
    return {
      ...{ inbox, dispatcher, published, attempts, attemptsAt },
      repair: () => {
        isDown = false
      },
    }
  }
  const ids = Array.from({ length: 40 }, (_, index) => `event ${String(index).padStart(2, '0')}`)

  it('publishes all failed events, oldest first, when the bus takes a new event', async () => {
    const { inbox, dispatcher, published, attempts, attemptsAt, repair } = await situation()
    const present = Date.now()
    for (const [index, id] of [...ids, 'poison'].entries())
      await inbox.record(getDelivery(id, { receivedAt: present - 60_000 + index }))
    dispatcher.start()
    await expect.poll(() => attempts.length, { timeout: 10_000 }).toBeGreaterThan(ids.length)
    const before = attemptsAt('poison')
    repair()
    await inbox.record(getDelivery('new', { receivedAt: present }))
    await expect.poll(() => published.length, { timeout: 10_000 }).toBe(ids.length + 1)
    expect(published.filter((id) => id !== 'new')).toEqual(ids)

    // The failing event is retried once, and then waits although other events succeed.
    await expect.poll(() => attemptsAt('poison')).toBeGreaterThan(before)
    const after = attemptsAt('poison')
    for (const id of ['later 1', 'later 2', 'later 3']) {
      await inbox.record(getDelivery(id, { receivedAt: Date.now() }))
      dispatcher.wake()
      await expect.poll(() => published).toContain(id)
    }
    expect(attemptsAt('poison')).toBe(after)
    await dispatcher.stop()
  }, 30_000)

  it('publishes all failed events when no new event comes', async () => {
    const { inbox, dispatcher, published, attempts, repair } = await situation()
    for (const id of ids) await inbox.record(getDelivery(id, { receivedAt: Date.now() - 60_000 }))
    dispatcher.start()
    await expect.poll(() => attempts.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(ids.length)
    repair()
    await expect.poll(() => published.length, { timeout: 10_000 }).toBe(ids.length)
    await dispatcher.stop()
  }, 30_000)
}

describe('after an outage of the bus, the dispatcher of an inbox in memory', () => {
  testOutage(() => Promise.resolve(createMemoryInbox()))
})

describe('after an outage of the bus, the dispatcher of an inbox on SQLite', () => {
  const closers: (() => Promise<void>)[] = []
  afterAll(async () => {
    await Promise.all(closers.map((close) => close()))
    await removeFiles()
  })
  testOutage(async () => {
    const database = await openSqlite({ path: await newPath() })
    closers.push(() => database.close())
    return database.inbox()
  })
})

describeWith('postgres', (postgres) => {
  describe('after an outage of the bus, the dispatcher of an inbox on PostgreSQL', () => {
    const database = openProcesses(1, postgres)
    testOutage(async () => {
      await sql`truncate deliveries, events, idempotency_keys cascade`.execute(database().kysely)
      return database().inbox()
    })
  })
})
