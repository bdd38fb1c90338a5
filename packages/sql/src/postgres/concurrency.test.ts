import { describeWith } from '@sallyport/test-support/services'
import type { CompleteInbox } from '@sallyport/webhooks'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { deliveryOfAll, openProcesses } from '../../test/postgres-inbox.ts'
import { getDelivery } from '../../test/records.ts'
import { openPostgres } from './index.ts'

const done = { status: 'done' } as const
const three = [0, 1, 2] as const

async function endAll(inbox: CompleteInbox, outcome: 'done' | 'dead', limit: number): Promise<string[]> {
  const held: string[] = []
  for (;;) {
    const claimed = await inbox.claim('publish', { limit, leaseMs: 60_000 })
    if (claimed.length === 0) return held
    held.push(...claimed.map(({ event }) => event.id))
    const ending = outcome === 'done' ? done : ({ status: 'dead', error: 'x' } as const)
    const settled = await inbox.settle(
      'publish',
      claimed.map(({ event, lease }) => ({ id: event.id, lease, outcome: ending })),
    )
    expect(settled.every(Boolean)).toBe(true)
  }
}

/** Reads on from the last sequence until the writers have ended and nothing is left. */
async function follow<Page extends { readonly sequence: number }>(
  writing: Promise<unknown>,
  read: (after: number) => Promise<readonly Page[]>,
): Promise<Page[]> {
  const seen: Page[] = []
  const state = { writing: true }
  const ended = writing.finally(() => {
    state.writing = false
  })
  for (let page: readonly Page[] | undefined; ;) {
    const last = !state.writing
    page = await read(seen.at(-1)?.sequence ?? 0)
    seen.push(...page)
    if (last && page.length === 0) break
  }
  await ended
  return seen
}

describeWith('postgres', (postgres) => {
  const database = openProcesses(3, postgres)
  const inboxes = () => three.map((index) => database(index).inbox())

  it('lets three processes share the work: each event is held by one of them', async () => {
    const [first] = inboxes()
    const ids = Array.from({ length: 600 }, (_, index) => `share:${index}`)
    await Promise.all(ids.map((id) => first!.record(getDelivery(id))))
    const held = await Promise.all(
      inboxes().flatMap((inbox) => [endAll(inbox, 'done', 7), endAll(inbox, 'done', 7)]),
    )
    expect(held.flat().sort()).toEqual(ids.toSorted())
  })

  it('records overlapping keys concurrently, each once and without deadlock', async () => {
    const keys = fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 6 })
    const batches = fc.array(keys, { minLength: 40, maxLength: 60 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(batches, async (deliveries) => {
        run++
        const own = inboxes()
        const getKey = (key: number) => `overlap:${run}:${key}`
        // Half of the keys are dead letters already, which every record that holds one revives.
        await own[0]!.record(deliveryOfAll([0, 2, 4, 6, 8, 10].map(getKey)))
        await endAll(own[0]!, 'dead', 100)
        const reviving = deliveries.map((some, index) =>
          own[index % 3]!.record(deliveryOfAll(some.map(getKey))),
        )
        const [results] = await Promise.all([Promise.all(reviving), endAll(own[1]!, 'dead', 3)])
        const firsts = results.flatMap(({ events }) => events.filter(({ duplicate }) => !duplicate))
        const odd = [...new Set(deliveries.flat())].filter((key) => key % 2 === 1).map(getKey)
        expect(firsts.map(({ id }) => id).sort()).toEqual(odd.sort())
        await Promise.all(own.map((inbox) => endAll(inbox, 'done', 5)))
      }),
      { numRuns: 8 },
    )
  })

  it('shows a following reader every event once and in order', async () => {
    const [first, , third] = inboxes()
    const before = (await first!.published({ limit: 10_000 })).length
    const ids = Array.from({ length: 500 }, (_, index) => `follow:${index}`)
    await first!.record(deliveryOfAll(ids))
    const writing = Promise.all(
      inboxes().flatMap((inbox) => [1, 2, 3, 4].map((limit) => endAll(inbox, 'done', limit))),
    )
    const seen = await follow(writing, (after) => third!.published({ after, limit: 9 }))
    // Numbers without gaps: what a reader would have missed would be one.
    expect(seen.map(({ sequence }) => sequence)).toEqual(seen.map((_, index) => index + 1))
    expect(seen.length).toBe(before + ids.length)
    expect(new Set(seen.map(({ event }) => event.id)).size).toBe(seen.length)
    for (const [index, { publishedAt }] of seen.entries()) {
      expect(publishedAt >= (seen[index - 1]?.publishedAt ?? 0)).toBe(true)
    }
  })

  it('appends to the bus in the order in which a reader sees it, each id once', async () => {
    const { signal } = new AbortController()
    const buses = three.map((index) => database(index).bus())
    const getEvent = (id: number) => getDelivery(`bus:${id}`).events[0]!.event
    const writing = Promise.all(
      Array.from({ length: 240 }, (_, index) =>
        buses[index % 3]!.publish([getEvent(index), getEvent(index + 1), getEvent(index + 2)], signal),
      ),
    )
    const seen = await follow(writing, (after) => buses[2]!.read({ after, limit: 9 }))
    expect(seen.map(({ event }) => event.id).toSorted()).toEqual(
      Array.from({ length: 242 }, (_, index) => `bus:${index}`).sort(),
    )
    const results = (await writing).flat()
    expect(results.filter((result) => result.ok && result.duplicate !== true).length).toBe(242)
  })

  it('replays, erases and prunes concurrently with other work without deadlock or loss', async () => {
    const [first, second, third] = inboxes()
    const { dead } = (await first!.stats()).events
    const ids = Array.from({ length: 120 }, (_, index) => [`upkeep:${index}:a`, `upkeep:${index}:b`])
    const deliveries = ids.map((some) => deliveryOfAll(some))
    await Promise.all(deliveries.map((delivery) => first!.record(delivery)))
    await endAll(second!, 'dead', 50)
    const all = deliveries.map(({ id }) => id)
    const parts = [0, 1, 2, 3].map((part) => all.filter((_, index) => index % 4 === part))
    // Only an erasure may refuse, and only because something is under way.
    const erase = async (id: string) => {
      const code = await third!.eraseBody(id).then(
        () => 'erased',
        (error: unknown) => (error as { code: string }).code,
      )
      expect(['erased', 'CONFLICT']).toContain(code)
    }
    await Promise.all([
      ...parts.map((part) => first!.replay({ ids: part.toReversed() })),
      ...parts.map((part) => second!.replay({ ids: part }, { asNew: true })),
      ...ids.map((some) => second!.record(deliveryOfAll(some.toReversed()))),
      ...all.slice(0, 20).map(erase),
      third!.prune({ publishedForMs: 0, bodiesForMs: 0, keysForMs: 0 }),
      endAll(third!, 'done', 7),
      endAll(second!, 'done', 5),
    ])
    await Promise.all(inboxes().map((inbox) => endAll(inbox, 'done', 9)))
    const { events } = await first!.stats()
    expect(events).toEqual({ pending: 0, queued: 0, dead })
    for (const id of all.slice(0, 20)) await erase(id)
    for (let more = true; more;) {
      const results = await Promise.all(
        inboxes().map((inbox) => inbox.prune({ publishedForMs: 0, bodiesForMs: 0, limit: 50 })),
      )
      more = results.some((result) => result.more)
    }
    const left = (await first!.list({ limit: 10_000 })).filter(({ id }) => all.includes(id))
    // Their notifications are still owed: they stay, and no delivery without events does.
    expect(left.every((one) => one.events.published > 0)).toBe(true)
  })

  // A deadlock would be resolved and tried again: only the server knows of it.
  afterAll(async () => {
    await Promise.all(three.map((index) => database(index).close()))
    const own = await openPostgres(postgres())
    const { rows } = await sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(own.kysely)
    await own.close()
    expect(rows).toEqual([{ deadlocks: 0 }])
  })
})
