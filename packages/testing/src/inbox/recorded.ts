import type { CompleteInbox, DeliveryFilter } from '@sallyport/webhooks'
import { createDelivery, createQuarantinedDelivery, settleAll, withProvider } from '../records.ts'
import type { InboxContext } from './context.ts'

export function testRecorded({ describe, test }: InboxContext): void {
  /** Reads all recorded deliveries after a sequence, in portions. */
  async function readAll(inbox: CompleteInbox, filter: DeliveryFilter = {}, limit = 2, after = 0) {
    const upTo = await inbox.lastRecorded()
    const ids: string[] = []
    let next = after
    while (next < upTo) {
      const portion = await inbox.recorded({ ...filter, after: next, upTo, limit })
      ids.push(...portion.deliveries.map(({ id }) => id))
      next = portion.next
    }
    return { ids, upTo }
  }

  describe('recorded', () => {
    test('is empty at first', async ({ inbox, expect }) => {
      const upTo = await inbox.lastRecorded()
      expect(await inbox.recorded({ after: 0, upTo, limit: 10 })).toEqual({ deliveries: [], next: upTo })
    })

    test('returns deliveries in the order of their records', async ({ inbox, now, expect }) => {
      const deliveries = [
        createDelivery(now(), 'doorbell:a'),
        // The time of receipt does not count.
        createDelivery(now() - 5000, 'doorbell:b', 'doorbell:c'),
        createQuarantinedDelivery(now() + 5000),
      ]
      for (const delivery of deliveries) await inbox.record(delivery)
      const { ids, upTo } = await readAll(inbox)
      expect(ids).toEqual(deliveries.map(({ id }) => id))
      const [newest] = await inbox.list({ limit: 1 })
      expect(upTo).toBe(newest?.sequence)
      expect((await inbox.recorded({ after: 0, upTo, limit: 3 })).deliveries.at(-1)).toEqual(newest)
    })

    test('continues after a sequence', async ({ inbox, now, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      const after = await inbox.lastRecorded()
      expect((await readAll(inbox, {}, 2, after)).ids).toEqual([])
      const later = createDelivery(now(), 'doorbell:b')
      await inbox.record(later)
      expect((await readAll(inbox, {}, 2, after)).ids).toEqual([later.id])
    })

    test('filters each portion', async ({ inbox, now, expect }) => {
      const published = createDelivery(now(), 'doorbell:a')
      await inbox.record(published)
      await settleAll(inbox)
      const others = Array.from({ length: 4 }, (_, index) =>
        createDelivery(now() + 1 + index, `doorbell:other:${index}`),
      )
      for (const delivery of others) await inbox.record(delivery)
      const mailbox = withProvider('mailbox', createDelivery(now() + 10, 'mailbox:a'))
      await inbox.record(mailbox)
      const quarantined = createQuarantinedDelivery(now() + 20)
      await inbox.record(quarantined)
      const otherIds = others.map(({ id }) => id)
      for (const [filter, ids] of [
        [{ provider: 'mailbox' }, [mailbox.id]],
        [{ status: 'published' }, [published.id]],
        [{ status: 'quarantined' }, [quarantined.id]],
        [{ status: 'pending', provider: 'doorbell' }, otherIds],
        [{ receivedAfter: now() + 10 }, [quarantined.id]],
        [{ receivedAfter: now(), receivedBefore: now() + 4 }, otherIds.slice(0, 3)],
        [{ provider: 'unknown' }, []],
      ] as const) {
        expect((await readAll(inbox, filter)).ids).toEqual(ids)
      }
    })

    test('returns each delivery once to a reader, with several writers', async (context) => {
      const { inbox, now, reopen, expect } = context
      const other = await reopen()
      const ids: string[] = []
      let isWriting = true
      const write = async (own: CompleteInbox, name: string) => {
        for (let round = 0; round < 20; round++) {
          const deliveries = Array.from({ length: 3 }, (_, index) =>
            createDelivery(now(), `doorbell:${name}:${round}:${index}`),
          )
          ids.push(...deliveries.map(({ id }) => id))
          await Promise.all(deliveries.map((delivery) => own.record(delivery)))
        }
      }
      const seen: string[] = []
      const follow = async () => {
        let after = 0
        for (;;) {
          const isLast = !isWriting
          const upTo = await inbox.lastRecorded()
          while (after < upTo) {
            const { deliveries, next } = await inbox.recorded({ after, upTo, limit: 7 })
            seen.push(...deliveries.map(({ id }) => id))
            after = next
          }
          if (isLast) return
        }
      }
      const writers = Promise.all([write(inbox, 'a'), write(other, 'b')]).finally(() => {
        isWriting = false
      })
      await Promise.all([writers, follow()])
      expect([...seen].sort()).toEqual([...ids].sort())
    })
  })
}
