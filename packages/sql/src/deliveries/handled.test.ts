import type { WebhookEvent } from '@sallyport/webhooks'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeInboxDatabases, type InboxDatabase } from '../../test/inbox-databases.ts'
import { getDelivery } from '../../test/records.ts'

const { signal } = new AbortController()
const limits = { limit: 10, leaseMs: 60_000 }

describeInboxDatabases((open) => {
  let database: InboxDatabase
  let inbox: ReturnType<InboxDatabase['inbox']>
  beforeEach(async () => {
    database = await open()
    inbox = database.inbox()
  })
  afterEach(() => database.close())

  const selection = { filter: {}, limit: 10 } as const
  const countHandled = async (options?: Parameters<typeof inbox.replay>[1]) => {
    const { deliveries } = await inbox.replay(selection, options)
    return deliveries.reduce((sum, { handled = 0 }) => sum + handled, 0)
  }

  /** Publishes what is due to the bus, and returns the ids that it stored. */
  async function publish(): Promise<readonly string[]> {
    const works = await inbox.claim('publish', limits)
    const results = await database.bus().publish(
      works.map(({ event }) => event),
      signal,
    )
    const settlements = works.map(({ event, lease }) => ({
      ...{ id: event.id, lease },
      outcome: { status: 'done' } as const,
    }))
    await inbox.settle('publish', settlements)
    return works
      .filter((_, index) => {
        const result = results[index]
        return result?.ok === true && result.duplicate !== true
      })
      .map(({ event }) => event.id)
  }

  /** Runs a handler with `once` for each event of the bus after a sequence. */
  async function consume(after = 0): Promise<readonly string[]> {
    const ran: string[] = []
    const handle = database.once(
      'builds',
      ({ id }: WebhookEvent) =>
        () =>
          ran.push(id),
    )
    for (const { event } of await database.bus().read({ after, limit: 10 })) await handle(event, signal)
    return ran
  }

  it('reports the events that a consumer skips in a replay', async () => {
    await inbox.record(getDelivery('a'))
    await inbox.record(getDelivery('b'))
    expect(await countHandled()).toBe(0)
    await publish()
    await database.once('other', () => undefined)({ id: 'a' }, signal)
    await database.once('builds', () => undefined)({ id: 'a' }, signal)
    expect(await countHandled()).toBe(1)
    expect(await countHandled({ asNew: true })).toBe(0)
  })

  it('lets consumers of the embedded bus handle the events again, with "reprocess"', async () => {
    await inbox.record(getDelivery('a'))
    expect(await publish()).toEqual(['a'])
    expect(await consume()).toEqual(['a'])
    const [first] = await database.bus().read({ limit: 1 })
    await inbox.replay(selection)
    expect([await publish(), await consume()]).toEqual([[], []])
    expect(await countHandled({ reprocess: true })).toBe(1)
    expect(await publish()).toEqual(['a'])
    expect(await consume(first?.sequence)).toEqual(['a'])
  })

  it('keeps the records of a replay that is undone, and those of other events', async () => {
    await inbox.record(getDelivery('a'))
    await publish()
    await consume()
    await database.once('builds', () => undefined)({ id: 'other' }, signal)
    const undone = inbox.replay(selection, {
      reprocess: true,
      save: () => Promise.reject(new Error('The progress cannot be stored')),
    })
    await expect(undone).rejects.toThrow()
    expect(await consume()).toEqual([])
    await inbox.replay(selection, { reprocess: true })
    await publish()
    const ran: string[] = []
    const handle = database.once(
      'builds',
      ({ id }: { id: string }) =>
        () =>
          ran.push(id),
    )
    await handle({ id: 'other' }, signal)
    await handle({ id: 'a' }, signal)
    expect(ran).toEqual(['a'])
  })
})
