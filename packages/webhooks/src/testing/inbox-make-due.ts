import type { Inbox } from '../ports/ports.ts'
import {
  claimAll,
  comingFrom,
  deliveryOf,
  eventOf,
  idsOf,
  settleAll,
  type InboxContext,
} from './inbox-context.ts'

type MakeDue = NonNullable<Inbox['makeDue']>

export function testMakeDue({ describe, test }: InboxContext): void {
  describe('makeDue', () => {
    /** A test that an inbox without the method passes. */
    const optionalTest = (
      name: string,
      body: (context: Parameters<Parameters<typeof test>[1]>[0], makeDue: MakeDue) => Promise<void>,
    ) => {
      test(name, async (context) => {
        const { inbox } = context
        if (inbox.makeDue !== undefined) await body(context, inbox.makeDue.bind(inbox))
      })
    }
    const failed = { status: 'retry', afterMs: 3_600_000, error: 'no answer' } as const

    optionalTest('makes failed events due, oldest first, in portions', async (context, makeDue) => {
      const { inbox, now, advance, expect } = context
      for (const id of ['doorbell:a', 'doorbell:b', 'doorbell:c']) {
        const delivery = deliveryOf(now(), id)
        await inbox.record(id === 'doorbell:b' ? comingFrom('chime', delivery) : delivery)
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
      expect(idsOf(await claimAll(inbox))).toEqual(['doorbell:a', 'doorbell:b'])
      expect(await makeDue({ limit: 2 })).toBe(1)
      expect(idsOf(await claimAll(inbox))).toEqual(['doorbell:c'])
      expect(await makeDue({ limit: 2 })).toBe(0)
    })

    optionalTest('puts failed events in front of younger ones', async (context, makeDue) => {
      const { inbox, now, advance, expect } = context
      await inbox.record(deliveryOf(now(), 'doorbell:a'))
      await settleAll(inbox, failed)
      advance(10)
      await inbox.record(deliveryOf(now(), 'doorbell:b'))
      advance(10)
      expect(await makeDue({ limit: 10 })).toBe(1)
      expect(idsOf(await claimAll(inbox))).toEqual(['doorbell:a', 'doorbell:b'])
    })

    optionalTest('keeps the attempts and the time of the first one', async (context, makeDue) => {
      const { inbox, now, advance, expect } = context
      const since = now()
      await inbox.record(deliveryOf(now(), 'doorbell:a'))
      await settleAll(inbox, failed)
      advance(10)
      await makeDue({ limit: 10 })
      const [again] = await claimAll(inbox)
      expect([again?.attempts, again?.since]).toEqual([1, since])
    })

    optionalTest('leaves events alone that wait for no retry', async (context, makeDue) => {
      const { inbox, now, expect } = context
      const endings = [
        { status: 'done' },
        { status: 'dead', error: 'refused' },
        { status: 'queued', redeliverAfterMs: 3_600_000 },
      ] as const
      for (const [index, outcome] of endings.entries()) {
        await inbox.record(deliveryOf(now(), `doorbell:${index}`))
        await settleAll(inbox, { ...failed, afterMs: 0 })
        await settleAll(inbox, outcome)
      }
      await inbox.record(deliveryOf(now(), 'doorbell:held'))
      await settleAll(inbox, { ...failed, afterMs: 0 })
      await claimAll(inbox)
      await inbox.record(deliveryOf(now(), 'doorbell:new'), { leaseMs: 15_000 })
      expect(await makeDue({ limit: 10 })).toBe(0)
      expect(await claimAll(inbox)).toEqual([])
    })

    optionalTest('limits itself to one route', async (context, makeDue) => {
      const { inbox, now, expect } = context
      const queued = { event: eventOf('doorbell:queued', now()), route: 'queue' } as const
      await inbox.record(deliveryOf(now(), 'doorbell:direct', queued))
      await settleAll(inbox, failed)
      expect(await makeDue({ limit: 10, route: 'queue' })).toBe(1)
      expect(idsOf(await claimAll(inbox))).toEqual(['doorbell:queued'])
      expect(await makeDue({ limit: 10, route: 'direct' })).toBe(1)
      expect(idsOf(await claimAll(inbox))).toEqual(['doorbell:direct'])
    })

    optionalTest('rejects a limit that is not an integer from 1', async (context, makeDue) => {
      for (const limit of [0, -1, 1.5, NaN]) {
        const refused = await makeDue({ limit }).catch((error: unknown) => error)
        context.expect(refused instanceof TypeError).toBe(true)
      }
    })
  })
}
