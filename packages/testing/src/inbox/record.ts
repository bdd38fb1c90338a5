import type { CompleteInbox } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { claimAll, createDelivery, createQuarantinedDelivery, listEventIds, settleAll } from '../records.ts'
import type { InboxContext } from './context.ts'

export function testRecord({ describe, test, durableTest }: InboxContext): void {
  describe('record', () => {
    test('reports events of earlier deliveries as duplicates', async ({ inbox, now, expect }) => {
      expect(await inbox.record(createDelivery(now(), 'doorbell:a'))).toEqual({
        events: [{ id: 'doorbell:a', duplicate: false }],
      })
      expect(await inbox.record(createDelivery(now(), 'doorbell:a', 'doorbell:b'))).toEqual({
        events: [
          { id: 'doorbell:a', duplicate: true },
          { id: 'doorbell:b', duplicate: false },
        ],
      })
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:a', 'doorbell:b'])
    })

    test('knows the ids of recorded events but not keys of quarantined deliveries', async ({
      inbox,
      now,
      expect,
    }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a', 'doorbell:b\0'))
      await inbox.record(createQuarantinedDelivery(now()))
      const ids = ['doorbell:c', 'doorbell:b\0', 'doorbell:q', 'doorbell:a', 'doorbell:a']
      expect(await inbox.known(ids)).toEqual([false, true, false, true, true])
      expect(await inbox.known([])).toEqual([])
      const many = Array.from({ length: 70_000 }, (_, index) => `doorbell:many:${index}`)
      expect((await inbox.known([...many, 'doorbell:a'])).filter(Boolean).length).toBe(1)
    })

    test('reports the second of two equal keys in a delivery as a duplicate', async ({
      inbox,
      now,
      expect,
    }) => {
      const { events } = await inbox.record(createDelivery(now(), 'doorbell:a', 'doorbell:a'), {
        leaseMs: 1000,
      })
      expect(events.map(({ duplicate }) => duplicate)).toEqual([false, true])
      expect(events[1]?.lease).toBe(undefined)
    })

    test('records a delivery of 20,000 events and detects its redelivery', async (context) => {
      const { inbox, now, expect } = context
      const ids = Array.from({ length: 20_000 }, (_, index) => `doorbell:batch:${index}`)
      const newOnes = async (...some: readonly string[]) =>
        (await inbox.record(createDelivery(now(), ...some))).events.filter(({ duplicate }) => !duplicate)
          .length
      // The query planner then expects small deliveries.
      for (let small = 0; small < 10; small++) expect(await newOnes(`doorbell:small:${small}`)).toBe(1)
      expect(await newOnes(...ids)).toBe(20_000)
      expect(await newOnes(...ids, 'doorbell:one-more')).toBe(1)
      expect((await inbox.stats({ countUpTo: 30_000 })).events.pending).toBe(20_011)
    })

    test('keeps the first record of an event', async ({ inbox, now, expect }) => {
      await inbox.record(
        createDelivery(now(), { event: createEvent('doorbell:a', now(), { subject: 'first' }) }),
      )
      await inbox.record(
        createDelivery(now(), { event: createEvent('doorbell:a', now(), { subject: 'second' }) }),
      )
      expect((await claimAll(inbox)).map(({ event }) => event.subject)).toEqual(['first'])
    })

    test('reports one of many concurrent records as new', async ({ inbox, now, reopen, expect }) => {
      const inboxes = [inbox, await reopen()]
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (inboxes[index % 2] as CompleteInbox).record(createDelivery(now(), 'doorbell:a'), {
            leaseMs: 1000,
          }),
        ),
      )
      const first = results.flatMap(({ events }) => events).filter(({ duplicate }) => !duplicate)
      expect(first.length).toBe(1)
      expect(typeof first[0]?.lease).toBe('string')
    })

    test('reports a duplicate only after the first record is committed', async ({
      inbox,
      now,
      reopen,
      expect,
    }) => {
      const other = await reopen()
      const record = async () => {
        const { events } = await inbox.record(createDelivery(now(), 'doorbell:a'))
        return events[0]?.duplicate === true ? await other.countDeliveries({}) : 1
      }
      expect(await Promise.all([record(), record(), record(), record()])).toEqual([1, 1, 1, 1])
    })

    test('stores a quarantined delivery once and never returns it as work', async ({
      inbox,
      now,
      expect,
    }) => {
      const quarantine = { key: 'doorbell:sha256:00', reason: 'NORMALIZER_FAILED' }
      const duplicates = []
      for (let round = 0; round < 2; round++) {
        const { events } = await inbox.record({ ...createDelivery(now()), quarantine }, { leaseMs: 1000 })
        duplicates.push(...events)
      }
      expect(duplicates).toEqual([
        { id: quarantine.key, duplicate: false },
        { id: quarantine.key, duplicate: true },
      ])
      expect(await claimAll(inbox)).toEqual([])
    })

    test('records events of a body that was quarantined before', async (context) => {
      const { inbox, now, expect } = context
      const key = 'doorbell:sha256:00'
      await inbox.record(createQuarantinedDelivery(now(), key))
      const { events } = await inbox.record(createDelivery(now(), key))
      expect(events).toEqual([{ id: key, duplicate: false }])
    })

    test('rejects an invalid record without failing concurrent records', async ({ inbox, now, expect }) => {
      const twice = createDelivery(now(), 'doorbell:first')
      await inbox.record(twice)
      const bad = [
        { ...createDelivery(now(), 'doorbell:of-one-id'), id: twice.id },
        createDelivery(now(), { event: createEvent('doorbell:bigint', now(), { data: 1n }) }),
        createDelivery(now(), { event: createEvent('doorbell:no-time', NaN) }),
      ]
      const good = Array.from({ length: 20 }, (_, index) => createDelivery(now(), `doorbell:good-${index}`))
      const mixed = [...good.slice(0, 10), ...bad, ...good.slice(10)]
      const results = await Promise.allSettled(mixed.map((delivery) => inbox.record(delivery)))
      const recorded = new Set(listEventIds(await claimAll(inbox)))
      for (const [index, { events }] of mixed.entries()) {
        const id = events[0]?.event.id ?? ''
        expect([id, recorded.has(id)]).toEqual([id, results[index]?.status === 'fulfilled'])
      }
      expect(good.every(({ events }) => recorded.has(events[0]?.event.id ?? ''))).toBe(true)
    })

    test('finishes pending records on close and then rejects with INBOX_UNAVAILABLE', async (context) => {
      const { inbox, now, expect } = context
      const recording = inbox.record(createDelivery(now(), 'doorbell:a'))
      await inbox.ping()
      await inbox.close()
      expect((await recording).events.length).toBe(1)
      const late: unknown = await inbox
        .record(createDelivery(now(), 'doorbell:b'))
        .catch((error: unknown) => error)
      expect((late as { code?: unknown }).code).toBe('INBOX_UNAVAILABLE')
      expect(
        await inbox.ping().then(
          () => 'answers',
          () => 'rejects',
        ),
      ).toBe('rejects')
    })

    durableTest(
      'keeps keys and work after a restart of the process',
      async ({ inbox, now, reopen, expect }) => {
        await inbox.record(createDelivery(now(), 'doorbell:a', 'doorbell:b'))
        await settleAll(inbox)
        await inbox.record(createDelivery(now(), 'doorbell:c'))
        const other = await reopen()
        const { events } = await other.record(createDelivery(now(), 'doorbell:a', 'doorbell:c', 'doorbell:d'))
        expect(events.map(({ duplicate }) => duplicate)).toEqual([true, true, false])
        expect(listEventIds(await claimAll(other))).toEqual(['doorbell:c', 'doorbell:d'])
        expect(listEventIds(await other.published({ limit: 10 }))).toEqual(['doorbell:a', 'doorbell:b'])
      },
    )
  })
}
