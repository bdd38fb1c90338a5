import type { CompleteInbox, Settlement } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { claimAll, createDelivery, listEventIds, settleAll, withProvider } from '../records.ts'
import type { InboxContext } from './context.ts'

export function testSettle({ describe, test }: InboxContext): void {
  describe('settle', () => {
    test('never returns a published event again', async ({ inbox, now, advance, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      expect(await settleAll(inbox)).toEqual([true])
      advance(3_600_000)
      expect((await inbox.record(createDelivery(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
      expect(await claimAll(inbox)).toEqual([])
    })

    test('makes a retry due after its delay', async ({ inbox, now, advance, expect }) => {
      const since = now()
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      for (const [index, afterMs] of [2000, 2000, 3_600_000, 86_400_000].entries()) {
        await settleAll(inbox, { status: 'retry', afterMs, error: 'the bus failed' })
        advance(afterMs - 1)
        expect(await claimAll(inbox)).toEqual([])
        advance(1)
        const [claimed] = await claimAll(inbox, 'publish', 0)
        expect([claimed?.attempts, claimed?.since]).toEqual([index + 1, since])
      }
    })

    test('revives a dead letter when it is delivered again', async ({ inbox, now, advance, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      await settleAll(inbox, { status: 'retry', afterMs: 0, error: 'the bus failed' })
      await settleAll(inbox, { status: 'dead', error: 'the bus failed for good' })
      advance(3_600_000)
      expect(await claimAll(inbox)).toEqual([])
      expect(await inbox.record(createDelivery(now(), 'doorbell:a'), { leaseMs: 1000 })).toEqual({
        events: [{ id: 'doorbell:a', duplicate: true }],
      })
      const [revived] = await claimAll(inbox)
      expect([revived?.event.id, revived?.attempts, revived?.since]).toEqual(['doorbell:a', 0, now()])
      expect(await inbox.published({ limit: 10 })).toEqual([])
    })

    test('returns released work unchanged', async ({ inbox, now, advance, expect }) => {
      const since = now()
      const { events } = await inbox.record(createDelivery(now(), 'doorbell:a'), { leaseMs: 15_000 })
      advance(10)
      await inbox.settle('publish', [
        { id: 'doorbell:a', lease: events[0]?.lease ?? '', outcome: { status: 'released' } },
      ])
      const [claimed] = await claimAll(inbox)
      expect([claimed?.event.id, claimed?.attempts, claimed?.since]).toEqual(['doorbell:a', 0, since])
    })

    test('returns work that was released for a time after this time', async (context) => {
      const { inbox, now, advance, expect } = context
      const since = now()
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      await settleAll(inbox, { status: 'released', afterMs: 5000 })
      advance(4999)
      expect(await claimAll(inbox)).toEqual([])
      advance(1)
      const [claimed] = await claimAll(inbox)
      expect([claimed?.event.id, claimed?.attempts, claimed?.since]).toEqual(['doorbell:a', 0, since])
    })

    test('returns a result for each settlement in its order', async ({ inbox, now, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a', 'doorbell:b', 'doorbell:c'))
      const leases = new Map((await claimAll(inbox)).map(({ event, lease }) => [event.id, lease]))
      const done = (id: string, lease = leases.get(id) ?? '') => ({
        id,
        lease,
        outcome: { status: 'done' } as const,
      })
      const settled = await inbox.settle('publish', [
        done('doorbell:c'),
        done('doorbell:unknown', leases.get('doorbell:a')),
        done('doorbell:b', 'an unknown token'),
        done('doorbell:a'),
        done('doorbell:a'),
      ])
      expect(settled).toEqual([true, false, false, true, false])
      expect(listEventIds(await inbox.published({ limit: 10 }))).toEqual(['doorbell:c', 'doorbell:a'])
      expect(await inbox.settle('publish', [])).toEqual([])
    })
  })
}

type TestedInbox = Parameters<Parameters<InboxContext['test']>[1]>[0]

/** Declares a test that an inbox without an optional method passes. */
const testOptional =
  <Name extends 'makeDue' | 'settlePublished'>(method: Name, test: InboxContext['test']) =>
  (name: string, body: (context: TestedInbox, call: NonNullable<CompleteInbox[Name]>) => Promise<void>) => {
    test(name, async (context) => {
      const call = context.inbox[method]
      if (call !== undefined) await body(context, call.bind(context.inbox) as typeof call)
    })
  }

export function testMakeDue({ describe, test }: InboxContext): void {
  describe('makeDue', () => {
    const optionalTest = testOptional('makeDue', test)
    const failed = { status: 'retry', afterMs: 3_600_000, error: 'no answer' } as const

    optionalTest('makes failed events due, oldest first, in portions', async (context, makeDue) => {
      const { inbox, now, advance, expect } = context
      for (const id of ['doorbell:a', 'doorbell:b', 'doorbell:c']) {
        const delivery = createDelivery(now(), id)
        await inbox.record(id === 'doorbell:b' ? withProvider('chime', delivery) : delivery)
        advance(10)
      }
      const waits = [3000, 2000, 1000]
      const claimed = await claimAll(inbox)
      await inbox.settle(
        'publish',
        claimed.map(({ event, lease }, index) => {
          const outcome = { status: 'retry', afterMs: waits[index] ?? 0, error: 'no answer' } as const
          return { id: event.id, lease, outcome }
        }),
      )
      expect(await claimAll(inbox)).toEqual([])
      expect(await makeDue({ limit: 2 })).toBe(2)
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:a', 'doorbell:b'])
      expect(await makeDue({ limit: 2 })).toBe(1)
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:c'])
      expect(await makeDue({ limit: 2 })).toBe(0)
    })

    optionalTest('makes only events due that match a filter', async (context, makeDue) => {
      const { inbox, now, advance, expect } = context
      const start = now()
      const first = createDelivery(start, 'doorbell:a', {
        event: createEvent('doorbell:b', start, { name: 'doorbell/bell.broken', subject: 'back' }),
      })
      const other = withProvider('chime', createDelivery(start + 10, 'chime:a'))
      await inbox.record(first)
      await inbox.record(other)
      await inbox.record(createDelivery(start + 20, 'doorbell:dead'))
      const retryAll = async (outcome: Settlement['outcome'] = failed) => {
        const claimed = await claimAll(inbox)
        await inbox.settle(
          'publish',
          claimed.map(({ event, lease }) => ({ id: event.id, lease, outcome })),
        )
        return listEventIds(claimed)
      }
      await retryAll()
      await makeDue({ limit: 10, filter: { eventId: 'doorbell:dead' } })
      await retryAll({ status: 'dead', error: 'refused' })
      for (const [filter, ids] of [
        [{ provider: 'chime' }, ['chime:a']],
        [{ id: first.id }, ['doorbell:a', 'doorbell:b']],
        [{ id: first.id, kind: 'bell.*' }, ['doorbell:a', 'doorbell:b']],
        [{ kind: 'bell.broken' }, ['doorbell:b']],
        [{ subject: 'back', status: 'pending' }, ['doorbell:b']],
        [{ eventId: 'doorbell:a' }, ['doorbell:a']],
        [{ error: 'no answer', receivedAfter: start }, ['chime:a']],
        [{ minAttempts: 100 }, []],
        [{ status: 'dead' }, []],
        [{ outcome: 'quarantined' }, []],
        [{ endpoint: 'unknown' }, []],
        [{}, ['doorbell:a', 'doorbell:b', 'chime:a']],
      ] as const) {
        advance(10)
        expect(await makeDue({ limit: 10, filter })).toBe(ids.length)
        expect((await retryAll()).toSorted()).toEqual([...ids].sort())
      }
    })

    optionalTest('orders failed events before newer ones', async (context, makeDue) => {
      const { inbox, now, advance, expect } = context
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      await settleAll(inbox, failed)
      advance(10)
      await inbox.record(createDelivery(now(), 'doorbell:b'))
      advance(10)
      expect(await makeDue({ limit: 10 })).toBe(1)
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:a', 'doorbell:b'])
    })

    optionalTest('keeps the attempts and the time of the first one', async (context, makeDue) => {
      const { inbox, now, advance, expect } = context
      const since = now()
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      await settleAll(inbox, failed)
      advance(10)
      await makeDue({ limit: 10 })
      const [again] = await claimAll(inbox)
      expect([again?.attempts, again?.since]).toEqual([1, since])
    })

    optionalTest('ignores events that do not wait for a retry', async (context, makeDue) => {
      const { inbox, now, expect } = context
      const endings = [
        { status: 'done' },
        { status: 'dead', error: 'refused' },
        { status: 'queued', redeliverAfterMs: 3_600_000 },
      ] as const
      for (const [index, outcome] of endings.entries()) {
        await inbox.record(createDelivery(now(), `doorbell:${index}`))
        await settleAll(inbox, { ...failed, afterMs: 0 })
        await settleAll(inbox, outcome)
      }
      await inbox.record(createDelivery(now(), 'doorbell:held'))
      await settleAll(inbox, { ...failed, afterMs: 0 })
      await claimAll(inbox)
      await inbox.record(createDelivery(now(), 'doorbell:new'), { leaseMs: 15_000 })
      expect(await makeDue({ limit: 10 })).toBe(0)
      expect(await claimAll(inbox)).toEqual([])
    })

    optionalTest('selects one route', async (context, makeDue) => {
      const { inbox, now, expect } = context
      const queued = { event: createEvent('doorbell:queued', now()), route: 'queue' } as const
      await inbox.record(createDelivery(now(), 'doorbell:direct', queued))
      await settleAll(inbox, failed)
      expect(await makeDue({ limit: 10, route: 'queue' })).toBe(1)
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:queued'])
      expect(await makeDue({ limit: 10, route: 'direct' })).toBe(1)
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:direct'])
    })

    optionalTest('selects the events that wait for a target', async (context, makeDue) => {
      const { inbox, now, advance, expect } = context
      const waiting: Readonly<Record<string, readonly string[] | undefined>> = {
        'doorbell:both': ['kafka', 'sqs: "a"'],
        'chime:kafka': ['kafka'],
        'doorbell:other': ['kafk'],
        'doorbell:none': undefined,
        'doorbell:many': Array.from({ length: 100 }, (_, index) => `${'name '.repeat(20)}${index}`),
      }
      for (const id of Object.keys(waiting)) {
        const delivery = createDelivery(now(), id)
        await inbox.record(id.startsWith('chime') ? withProvider('chime', delivery) : delivery)
        advance(10)
      }
      const failAll = async () => {
        const claimed = await claimAll(inbox)
        await inbox.settle(
          'publish',
          claimed.map(({ event, lease }) => {
            const targets = waiting[event.id]
            return { id: event.id, lease, outcome: { ...failed, ...(targets && { targets }) } }
          }),
        )
        return listEventIds(claimed)
      }
      await failAll()
      const isDue = async (options: Parameters<typeof makeDue>[0], ...ids: readonly string[]) => {
        advance(10)
        expect(await makeDue(options)).toBe(ids.length)
        expect(await failAll()).toEqual(ids)
      }
      await isDue({ limit: 10, target: 'kafka' }, 'doorbell:both', 'chime:kafka')
      await isDue({ limit: 1, target: 'kafka' }, 'doorbell:both')
      await isDue({ limit: 10, target: 'kafka', filter: { provider: 'chime' } }, 'chime:kafka')
      await isDue({ limit: 10, target: 'sqs: "a"' }, 'doorbell:both')
      await isDue({ limit: 10, target: 'kafk' }, 'doorbell:other')
      await isDue({ limit: 10, target: 'ka' })
      await isDue({ limit: 10 }, ...Object.keys(waiting))
      await makeDue({ limit: 10 })
      // An event that another failure delays waits for no target.
      await settleAll(inbox, failed)
      await isDue({ limit: 10, target: 'kafka' })
    })

    optionalTest('makes failed notifications due, and no event', async (context, makeDue) => {
      const { inbox, now, advance, expect } = context
      const events = ['doorbell:a', 'doorbell:b', 'doorbell:c'].map((id) => createEvent(id, now()))
      await inbox.record(createDelivery(now(), 'doorbell:event'))
      await settleAll(inbox, failed)
      await inbox.record(createDelivery(now(), ...events.map((event) => ({ event, notify: true }))))
      await settleAll(inbox, { status: 'done' })
      const waits = [3000, 2000, 1000]
      const claimed = await claimAll(inbox, 'notify')
      await inbox.settle(
        'notify',
        claimed.map(({ event, lease }, index) => {
          return { id: event.id, lease, outcome: { ...failed, afterMs: waits[index] ?? 0 } }
        }),
      )
      advance(10)
      expect(await makeDue({ limit: 2, work: 'notify' })).toBe(2)
      expect(listEventIds(await claimAll(inbox, 'notify')).toSorted()).toEqual(['doorbell:b', 'doorbell:c'])
      expect(await makeDue({ limit: 2, work: 'notify' })).toBe(1)
      const [last] = await claimAll(inbox, 'notify')
      expect([last?.event.id, last?.attempts]).toEqual(['doorbell:a', 1])
      expect(await makeDue({ limit: 2, work: 'notify' })).toBe(0)
      expect(await claimAll(inbox)).toEqual([])
    })

    optionalTest('rejects a limit that is not an integer from 1', async (context, makeDue) => {
      for (const limit of [0, -1, 1.5, NaN]) {
        const refused = await makeDue({ limit }).catch((error: unknown) => error)
        context.expect(refused instanceof TypeError).toBe(true)
      }
    })
  })
}

export function testNotifications({ describe, test }: InboxContext): void {
  const asked = (id: string, now: number) => ({ event: createEvent(id, now), notify: true })
  const leaseTest = testOptional('settlePublished', test)

  describe('notifications', () => {
    test('are due after the event is published', async (context) => {
      const { inbox, now, advance, expect } = context
      await inbox.record(createDelivery(now(), asked('doorbell:a', now()), 'doorbell:b'))
      expect(await claimAll(inbox, 'notify')).toEqual([])
      advance(10_000)
      await settleAll(inbox)
      advance(500)
      const since = now() - 500
      const [claimed, ...others] = await claimAll(inbox, 'notify')
      expect([claimed?.event.id, claimed?.attempts, claimed?.since]).toEqual(['doorbell:a', 0, since])
      expect(others).toEqual([])
    })

    test('of a dead event are due after the event was revived and published', async (context) => {
      const { inbox, now, expect } = context
      await inbox.record(createDelivery(now(), asked('doorbell:a', now())))
      await settleAll(inbox, { status: 'dead', error: 'the bus failed for good' })
      expect(await claimAll(inbox, 'notify')).toEqual([])
      await inbox.record(createDelivery(now(), asked('doorbell:a', now())))
      await settleAll(inbox)
      expect(listEventIds(await claimAll(inbox, 'notify'))).toEqual(['doorbell:a'])
    })

    test('are retried, released and fenced like events', async ({ inbox, now, advance, expect }) => {
      await inbox.record(createDelivery(now(), asked('doorbell:a', now())))
      await settleAll(inbox)
      await settleAll(inbox, { status: 'retry', afterMs: 3_600_000, error: 'the notifier failed' }, 'notify')
      advance(3_599_999)
      expect(await claimAll(inbox, 'notify')).toEqual([])
      advance(1)
      await settleAll(inbox, { status: 'released' }, 'notify')
      const [old] = await claimAll(inbox, 'notify', 1000)
      expect(old?.attempts).toBe(1)
      advance(1000)
      const [current] = await claimAll(inbox, 'notify', 1000)
      const done = { id: 'doorbell:a', outcome: { status: 'done' } } as const
      const settled = [
        await inbox.settle('notify', [{ ...done, lease: old?.lease ?? '' }]),
        await inbox.settle('publish', [{ ...done, lease: current?.lease ?? '' }]),
        await inbox.settle('notify', [{ ...done, lease: current?.lease ?? '' }]),
      ]
      expect(settled).toEqual([[false], [false], [true]])
      advance(3_600_000)
      expect(await claimAll(inbox, 'notify')).toEqual([])
    })

    leaseTest(
      'are leased by the settlement of their events',
      async ({ inbox, now, advance, expect }, settle) => {
        const since = now()
        await inbox.record(
          createDelivery(since, asked('doorbell:a', since), 'doorbell:b', asked('doorbell:c', since)),
        )
        const claimed = await claimAll(inbox)
        const [done, retry] = [
          { status: 'done' },
          { status: 'retry', afterMs: 0, error: 'no answer' },
        ] as const
        const lost = { id: 'doorbell:c', lease: 'an unknown token', outcome: done }
        const settlements = claimed.map(({ event: { id }, lease }) => {
          return { id, lease, outcome: id === 'doorbell:c' ? retry : done }
        })
        const results = await settle([...settlements, lost], { leaseMs: 15_000 })
        const lease = results[0]?.notificationLease ?? ''
        expect(results).toEqual([
          { settled: true, notificationLease: lease },
          { settled: true },
          { settled: true },
          { settled: false },
        ])
        expect(await claimAll(inbox, 'notify')).toEqual([])
        advance(15_000)
        const [expired, ...others] = await claimAll(inbox, 'notify')
        expect([expired?.event.id, expired?.attempts, expired?.since, others]).toEqual([
          'doorbell:a',
          0,
          since,
          [],
        ])
        expect(await inbox.settle('notify', [{ id: 'doorbell:a', lease, outcome: done }])).toEqual([false])
        expect(await settle([], { leaseMs: 15_000 })).toEqual([])
      },
    )

    leaseTest('keep the lease of an attempt when their event is published again', async (context, settle) => {
      const { inbox, now, expect } = context
      const delivery = createDelivery(now(), asked('doorbell:a', now()))
      await inbox.record(delivery)
      const publish = async () => {
        const claimed = await claimAll(inbox)
        const [result] = await settle(
          claimed.map(({ event: { id }, lease }) => ({ id, lease, outcome: { status: 'done' } })),
          { leaseMs: 15_000 },
        )
        return result?.notificationLease
      }
      const lease = (await publish()) ?? ''
      await inbox.replay({ ids: [delivery.id] })
      expect(await publish()).toBe(undefined)
      const sent = { id: 'doorbell:a', lease, outcome: { status: 'done' } } as const
      expect(await inbox.settle('notify', [sent])).toEqual([true])
    })

    leaseTest('are leased by concurrent settlements under separate tokens', async (context, settle) => {
      const { inbox, now, expect } = context
      const ids = ['doorbell:a', 'doorbell:b', 'doorbell:c']
      await inbox.record(createDelivery(now(), ...ids.map((id) => asked(id, now()))))
      const results = await Promise.all(
        (await claimAll(inbox)).map(({ event: { id }, lease }) =>
          settle([{ id, lease, outcome: { status: 'done' } }], { leaseMs: 15_000 }),
        ),
      )
      const leases = results.map(([result]) => result?.notificationLease ?? '')
      expect(new Set(leases).size).toBe(ids.length)
      const sent = ids.map((id, index) => ({
        id,
        lease: leases[index] ?? '',
        outcome: { status: 'done' } as const,
      }))
      expect(await inbox.settle('notify', sent)).toEqual([true, true, true])
    })

    test('that failed for good leave the event as it is', async ({ inbox, now, expect }) => {
      await inbox.record(createDelivery(now(), asked('doorbell:a', now())))
      await settleAll(inbox)
      await settleAll(inbox, { status: 'dead', error: 'the notifier failed for good' }, 'notify')
      await inbox.record(createDelivery(now(), asked('doorbell:a', now())))
      expect(await claimAll(inbox, 'notify')).toEqual([])
      expect(await claimAll(inbox)).toEqual([])
      expect(await inbox.countPublished({})).toBe(1)
    })
  })
}
