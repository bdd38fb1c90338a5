import { setTimeout as sleep } from 'node:timers/promises'
import type { WebhookEvent } from '@sallyport/webhooks'
import type { ConsumerOptions } from '@sallyport/webhooks/consumer'
import { createEvent } from '@sallyport/webhooks/testing'
import { expect, it, vi } from 'vitest'
import { describeInboxDatabases, type InboxDatabase } from '../../test/inbox-databases.ts'

const { signal } = new AbortController()
const event = (id: string) => createEvent(id, 0, { subject: id })

/** Starts a consumer, and lists the ids that it receives. */
async function consume(
  { queue }: InboxDatabase,
  handle: (one: WebhookEvent) => unknown = () => undefined,
  options: Partial<ConsumerOptions> = {},
) {
  const ids: string[] = []
  const consumer = queue().consumer({
    name: 'drainer',
    handlers: (one) => {
      ids.push(one.id)
      return handle(one)
    },
    ...options,
  })
  await consumer.start()
  return { ids, stop: () => consumer.stop() }
}

const readIds = async ({ kysely }: InboxDatabase) =>
  (await kysely.selectFrom('queued_events').select('id').orderBy('sequence').execute()).map(({ id }) => id)

describeInboxDatabases((open) => {
  it('deletes an event that is settled, and stores an id once until then', async () => {
    const database = await open()
    const queue = database.queue()
    const isNew = { ok: true, duplicate: false }
    expect(await queue.publish([event('a'), event('b'), event('a')], signal)).toEqual([
      ...[isNew, isNew],
      { ok: true, duplicate: true },
    ])
    const { ids, stop } = await consume(database)
    await vi.waitFor(async () => {
      expect(await readIds(database)).toEqual([])
    })
    expect(ids).toEqual(['a', 'b'])
    expect(await queue.publish([event('a')], signal)).toEqual([isNew])
    await vi.waitFor(() => {
      expect(ids).toEqual(['a', 'b', 'a'])
    })
    await stop()
    await database.close()
  })

  it('gives the events to one process, and those that it has not settled to the next', async () => {
    const database = await open()
    const isStuck = Promise.withResolvers<undefined>()
    const first = await consume(
      database,
      ({ id }) => {
        if (id === 'a') return
        isStuck.resolve(undefined)
        throw new Error('not yet')
      },
      { backoff: { baseMs: 60_000 }, random: () => 0.9 },
    )
    await database.queue().publish([event('a'), event('b'), event('c')], signal)
    await isStuck.promise
    const second = await consume(database)
    await sleep(300)
    expect(second.ids).toEqual([])
    await first.stop()
    await vi.waitFor(
      async () => {
        expect(await readIds(database)).toEqual([])
      },
      { timeout: 10_000 },
    )
    expect([first.ids, second.ids]).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ])
    await second.stop()
    await database.close()
  })

  it('drops an event that cannot be read, and passes the others', async () => {
    const database = await open()
    await database.queue().publish([event('a'), event('b'), event('c')], signal)
    await database.kysely
      .updateTable('queued_events')
      .set({ event: '{"secret' })
      .where('id', '=', 'b')
      .execute()
    const onDeadLetter = vi.fn()
    const { ids, stop } = await consume(database, undefined, { onDeadLetter })
    await vi.waitFor(async () => {
      expect(await readIds(database)).toEqual([])
    })
    expect([ids, onDeadLetter.mock.calls]).toEqual([['a', 'c'], [['The message is not an event', undefined]]])
    await stop()
    await database.close()
  })

  it('passes every event of concurrent additions', async () => {
    const database = await open()
    const queues = [database.queue(), database.queue()] as const
    const { ids, stop } = await consume(database)
    const added = Array.from({ length: 40 }, (_, part) => [event(`${part}:1`), event(`${part}:2`)])
    await Promise.all(added.map((events, part) => queues[part % 2 === 0 ? 0 : 1].publish(events, signal)))
    await vi.waitFor(
      async () => {
        expect(await readIds(database)).toEqual([])
      },
      { timeout: 10_000 },
    )
    expect(ids.toSorted()).toEqual(
      added
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    )
    await stop()
    await database.close()
  })
})
