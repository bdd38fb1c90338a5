import type { CompleteInbox, DeliveryFilter, DeliveryRecord, Settlement } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import {
  claimAll,
  createDelivery,
  createQuarantinedDelivery,
  settleAll,
  withEndpoint,
  withProvider,
} from '../records.ts'
import type { InboxContext } from './context.ts'

export function testFilters({ describe, test }: InboxContext): void {
  const listIds = async (inbox: CompleteInbox, filter: DeliveryFilter) => {
    const found = await inbox.list({ ...filter, limit: 100 })
    return found.map(({ id }) => id)
  }

  /** Creates a delivery of one event of a kind. */
  function createOfKind(now: number, id: string, kind: string, subject = 'front'): DeliveryRecord {
    const event = { ...createEvent(id, now), name: `doorbell/${kind}`, subject }
    return createDelivery(now, { event })
  }

  const retry = (error: string): Settlement['outcome'] => ({ status: 'retry', afterMs: 0, error })

  describe('filters of deliveries', () => {
    test('filters by the kind of an event, exactly or by a prefix', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      const ids: string[] = []
      for (const [index, kind] of ['door.opened', 'door.closed', 'doormat.moved', 'bell.rung'].entries()) {
        const delivery = createOfKind(now(), `doorbell:${index}`, kind)
        await inbox.record(delivery)
        ids.push(delivery.id)
        advance(1)
      }
      const other = withProvider('mailbox', createOfKind(now(), 'mailbox:1', 'door.opened'))
      await inbox.record(other)
      const those = (...indexes: readonly number[]) => indexes.map((index) => ids[index])
      for (const settle of [() => Promise.resolve([]), () => settleAll(inbox)]) {
        await settle()
        expect(await listIds(inbox, { kind: 'door.opened' })).toEqual([other.id, ...those(0)])
        expect(await listIds(inbox, { kind: 'door.*', provider: 'doorbell' })).toEqual(those(1, 0))
        expect(await listIds(inbox, { kind: '*', provider: 'mailbox' })).toEqual([other.id])
        expect(await listIds(inbox, { kind: 'door' })).toEqual([])
        expect(await listIds(inbox, { kind: 'DOOR.opened' })).toEqual([])
        expect(await listIds(inbox, { kind: 'd%*' })).toEqual([])
        expect(await inbox.countDeliveries({ kind: 'door*' })).toBe(4)
        expect(await inbox.countDeliveries({ kind: 'door*' }, { countUpTo: 2 })).toBe(2)
      }
    })

    test('filters by the kind together with the status of the event', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(
        now(),
        { event: { ...createEvent('doorbell:a', now()), name: 'doorbell/bell.rung' } },
        { event: { ...createEvent('doorbell:b', now()), name: 'doorbell/door.opened' } },
      )
      await inbox.record(delivery)
      const [a, b] = await claimAll(inbox)
      await inbox.settle('publish', [
        { id: 'doorbell:a', lease: a?.lease ?? '', outcome: { status: 'dead', error: 'broken' } },
        { id: 'doorbell:b', lease: b?.lease ?? '', outcome: { status: 'done' } },
      ])
      expect(await listIds(inbox, { status: 'dead', kind: 'bell.rung' })).toEqual([delivery.id])
      expect(await listIds(inbox, { status: 'dead', kind: 'door.opened' })).toEqual([])
      expect(await listIds(inbox, { status: 'dead', kind: 'bell*', subject: 'front' })).toEqual([delivery.id])
      expect(await listIds(inbox, { kind: 'door.opened' })).toEqual([delivery.id])
      expect(await listIds(inbox, { status: 'published', kind: 'door.opened' })).toEqual([])
    })

    test('finds deliveries by their values exactly, newest first and with other conditions', async (context) => {
      const { inbox, now, advance, expect } = context
      const first = { ...createDelivery(now(), 'doorbell:a'), values: ['order-17', 'evt_\u0000\\1'] }
      await inbox.record(first)
      advance(1000)
      const second = { ...createQuarantinedDelivery(now()), values: ['order-17'] }
      await inbox.record(second)
      await inbox.record(createDelivery(now(), 'doorbell:b'))
      await inbox.record({ ...createDelivery(now(), 'doorbell:a'), values: ['duplicate'] })
      expect(await listIds(inbox, { value: 'order-17' })).toEqual([second.id, first.id])
      expect(await listIds(inbox, { value: 'evt_\u0000\\1' })).toEqual([first.id])
      expect(await listIds(inbox, { text: 'order-17' })).toEqual([second.id, first.id])
      const page = await inbox.list({ value: 'order-17', order: 'oldest', offset: 1, limit: 1 })
      expect(page.map(({ id }) => id)).toEqual([second.id])
      expect(await listIds(inbox, { value: 'order-17', status: 'pending' })).toEqual([first.id])
      expect(await listIds(inbox, { value: 'order-17', subject: 'other' })).toEqual([])
      expect(await listIds(inbox, { value: 'order-17', id: second.id })).toEqual([second.id])
      expect(await listIds(inbox, { value: 'order-1', id: second.id })).toEqual([])
      for (const value of ['order-1', 'ORDER-17', 'duplicate'])
        expect(await listIds(inbox, { value })).toEqual([])
      expect(await inbox.countDeliveries({ value: 'order-17', provider: 'doorbell' })).toBe(2)
      expect(await inbox.makeDue?.({ limit: 10, filter: { value: 'order-1' } })).toBe(0)
    })

    test('filters by the id of the delivery and of an event', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a', 'doorbell:b')
      await inbox.record(delivery)
      await inbox.record(createDelivery(now(), 'doorbell:c'))
      expect(await listIds(inbox, { id: delivery.id })).toEqual([delivery.id])
      expect(await listIds(inbox, { eventId: 'doorbell:b' })).toEqual([delivery.id])
      expect(await listIds(inbox, { eventId: 'doorbell:c', id: delivery.id })).toEqual([])
      expect(await listIds(inbox, { eventId: 'doorbell:b', id: delivery.id, status: 'dead' })).toEqual([])
      expect(await listIds(inbox, { eventId: 'doorbell' })).toEqual([])
      expect(await inbox.countDeliveries({ eventId: 'doorbell:a', provider: 'doorbell' })).toBe(1)
      await settleAll(inbox, { status: 'dead', error: 'x' })
      const replayed = await inbox.replay({ ids: [delivery.id] }, { asNew: true })
      for (const eventId of ['doorbell:a', ...(replayed.deliveries[0]?.events ?? [])])
        expect(await listIds(inbox, { eventId })).toEqual([delivery.id])
    })

    test('filters by the subject of an event', async ({ inbox, now, advance, expect }) => {
      const long = `${'s'.repeat(200)}end`
      const ids: string[] = []
      for (const [index, subject] of ['front', 'back', long, 'back'].entries()) {
        const delivery = createOfKind(now(), `doorbell:${index}`, 'bell.rung', subject)
        await inbox.record(delivery)
        ids.push(delivery.id)
        advance(1)
      }
      const those = (...indexes: readonly number[]) => indexes.map((index) => ids[index])
      for (const settle of [
        () => Promise.resolve([]),
        () => settleAll(inbox, retry('busy')),
        () => settleAll(inbox, { status: 'dead', error: 'x' }),
        async () => await inbox.replay({ ids }),
        () => settleAll(inbox),
      ]) {
        await settle()
        expect(await listIds(inbox, { subject: 'back' })).toEqual(those(3, 1))
        expect(await listIds(inbox, { subject: 'back', provider: 'mailbox' })).toEqual([])
        expect(await listIds(inbox, { subject: long })).toEqual(those(2))
        expect(await listIds(inbox, { subject: long.slice(0, 200) })).toEqual([])
        expect(await inbox.countDeliveries({ subject: 'back', kind: 'bell.rung' })).toBe(2)
      }
    })

    test('filters by a text: the start of a subject, or an id', async ({ inbox, now, advance, expect }) => {
      const long = `${'s'.repeat(200)}end`
      const ids: string[] = []
      for (const [index, subject] of [
        'octo/site',
        'octo/api',
        long,
        'Octo/site',
        'été',
        'a%b',
        'octo',
      ].entries()) {
        const delivery = createOfKind(now(), `doorbell:${index}`, 'bell.rung', subject)
        await inbox.record(delivery)
        ids.push(delivery.id)
        advance(1)
      }
      const those = (...indexes: readonly number[]) => indexes.map((index) => ids[index])
      for (const settle of [
        () => Promise.resolve([]),
        () => settleAll(inbox, retry('busy')),
        () => settleAll(inbox, { status: 'dead', error: 'x' }),
        async () => await inbox.replay({ ids }),
        () => settleAll(inbox),
      ]) {
        await settle()
        expect(await listIds(inbox, { text: 'octo/' })).toEqual(those(1, 0))
        expect(await listIds(inbox, { text: 'octo', kind: 'bell.rung' })).toEqual(those(6, 1, 0))
        expect(await listIds(inbox, { text: 'octo', subject: 'octo/api' })).toEqual(those(1))
        expect(await listIds(inbox, { text: 'octo', provider: 'mailbox' })).toEqual([])
        expect(await listIds(inbox, { text: long.slice(0, 201) })).toEqual(those(2))
        expect(await listIds(inbox, { text: `${long.slice(0, 200)}other` })).toEqual([])
        expect(await listIds(inbox, { text: 'é' })).toEqual(those(4))
        for (const text of ['a_', '%', 'site']) expect(await listIds(inbox, { text })).toEqual([])
        expect(await listIds(inbox, { text: ids[3] ?? '' })).toEqual(those(3))
        expect(await listIds(inbox, { text: 'doorbell:3' })).toEqual(those(3))
        expect(await listIds(inbox, { text: 'doorbell:3', id: ids[2] ?? '' })).toEqual([])
        expect(await listIds(inbox, { text: 'doorbell:3', subject: 'octo' })).toEqual([])
        expect(await inbox.countDeliveries({ text: 'octo/' })).toBe(2)
        expect(await inbox.countDeliveries({ text: '' })).toBe(7)
        const { deliveries } = await inbox.recorded({ text: 'octo/', after: 0, upTo: 1000, limit: 100 })
        expect(deliveries.map(({ id }) => id)).toEqual(those(0, 1))
      }
    })

    test('replays and retries the deliveries of a text', async ({ inbox, now, expect }) => {
      const wanted = createOfKind(now(), 'doorbell:a', 'bell.rung', 'octo/site')
      const other = createOfKind(now(), 'doorbell:b', 'bell.rung', 'front')
      for (const delivery of [wanted, other]) await inbox.record(delivery)
      for (const text of ['octo', 'doorbell:a', wanted.id]) {
        await settleAll(inbox, { status: 'retry', afterMs: 60_000, error: 'busy' })
        expect(await inbox.makeDue?.({ limit: 10, filter: { text } })).toBe(1)
        expect(await inbox.makeDue?.({ limit: 10, filter: { text: 'other' } })).toBe(0)
        await inbox.makeDue?.({ limit: 10 })
      }
      const { deliveries } = await inbox.replay({ filter: { text: 'octo' }, limit: 10 })
      expect(deliveries.map(({ id }) => id)).toEqual([wanted.id])
    })

    test('filters by attempts and by the last error', async ({ inbox, now, advance, expect }) => {
      const busy = createDelivery(now(), 'doorbell:busy')
      await inbox.record(busy)
      await settleAll(inbox, retry('The bus is full'))
      await settleAll(inbox, retry('The bus is busy'))
      advance(1)
      const lost = createOfKind(now(), 'doorbell:lost', 'door.opened')
      await inbox.record(lost, { leaseMs: 0 })
      const [lease] = (await claimAll(inbox)).filter(({ event }) => event.id === 'doorbell:lost')
      await inbox.settle('publish', [
        { id: 'doorbell:lost', lease: lease?.lease ?? '', outcome: { status: 'dead', error: 'Lost' } },
      ])
      const [newest, oldest] = await inbox.list({ limit: 2 })
      expect([newest?.attempts, newest?.lastError, newest?.kind]).toEqual([1, 'Lost', 'door.opened'])
      expect([oldest?.attempts, oldest?.lastError]).toEqual([2, 'The bus is busy'])
      expect(await listIds(inbox, { minAttempts: 1 })).toEqual([lost.id, busy.id])
      expect(await listIds(inbox, { minAttempts: 2 })).toEqual([busy.id])
      expect(await listIds(inbox, { minAttempts: 3 })).toEqual([])
      expect(await listIds(inbox, { minAttempts: 1, kind: 'door.*' })).toEqual([lost.id])
      expect(await listIds(inbox, { error: 'The bus is busy' })).toEqual([busy.id])
      expect(await listIds(inbox, { error: 'The bus is full' })).toEqual([])
      expect(await listIds(inbox, { error: 'Lost', status: 'dead', provider: 'doorbell' })).toEqual([lost.id])
      expect(await listIds(inbox, { error: 'Lost', status: 'pending' })).toEqual([])
      advance(20_000)
      await settleAll(inbox)
      const [published] = await inbox.list({ status: 'published', limit: 2 })
      expect([published?.id, published?.attempts, published?.lastError]).toEqual([busy.id, 3, undefined])
      expect(await listIds(inbox, { minAttempts: 3 })).toEqual([busy.id])
      expect(await listIds(inbox, { minAttempts: 4 })).toEqual([])
      expect(await listIds(inbox, { error: 'The bus is busy' })).toEqual([])
    })

    test('filters by the outcome and by the reason of a quarantine', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      const accepted = createDelivery(now(), 'doorbell:a')
      await inbox.record(accepted)
      advance(1)
      const failed = createQuarantinedDelivery(now(), 'doorbell:q1')
      await inbox.record(failed)
      advance(1)
      const invalid = createQuarantinedDelivery(now(), 'doorbell:q2')
      const quarantine = { key: 'doorbell:q2', reason: 'INVALID_DATA', detail: 'door: invalid_type' }
      await inbox.record({ ...invalid, quarantine })
      expect(await listIds(inbox, { outcome: 'quarantined' })).toEqual([invalid.id, failed.id])
      expect(await listIds(inbox, { outcome: 'accepted' })).toEqual([accepted.id])
      expect(await listIds(inbox, { outcome: 'accepted', status: 'quarantined' })).toEqual([])
      expect(await listIds(inbox, { outcome: 'quarantined', status: 'pending' })).toEqual([])
      expect(await listIds(inbox, { outcome: 'accepted', status: 'pending' })).toEqual([accepted.id])
      expect(await listIds(inbox, { reason: 'INVALID_DATA' })).toEqual([invalid.id])
      expect(await listIds(inbox, { reason: 'INVALID' })).toEqual([])
      expect(await listIds(inbox, { reason: 'NORMALIZER_FAILED', provider: 'mailbox' })).toEqual([])
      expect(await listIds(inbox, { outcome: 'quarantined', kind: '*' })).toEqual([])
      expect(await inbox.countDeliveries({ outcome: 'accepted' })).toBe(1)
      expect(await inbox.countDeliveries({ outcome: 'quarantined' })).toBe(2)
      await inbox.resolve(invalid.id, [])
      expect(await listIds(inbox, { reason: 'INVALID_DATA' })).toEqual([])
      expect(await listIds(inbox, { outcome: 'accepted' })).toEqual([invalid.id, accepted.id])
    })

    test('combines filters with an endpoint, times and pages', async ({ inbox, now, advance, expect }) => {
      const start = now()
      const ids: string[] = []
      for (let index = 0; index < 6; index++) {
        const delivery = withEndpoint(
          index % 2 === 0 ? 'one' : 'two',
          createOfKind(now(), `doorbell:${index}`, 'a'),
        )
        await inbox.record(delivery)
        ids.push(delivery.id)
        advance(10)
      }
      const those = (...indexes: readonly number[]) => indexes.map((index) => ids[index])
      for (const settle of [() => Promise.resolve([]), () => settleAll(inbox)]) {
        await settle()
        for (const filter of [{ kind: 'a' }, { subject: 'front' }, { kind: 'a', subject: 'front' }]) {
          expect(await listIds(inbox, { ...filter, endpoint: 'one' })).toEqual(those(4, 2, 0))
          expect(await listIds(inbox, { ...filter, endpoint: 'two', receivedBefore: start + 30 })).toEqual(
            those(1),
          )
          const [first, second] = await inbox.list({ ...filter, limit: 2, order: 'oldest' })
          expect([first?.id, second?.id]).toEqual(those(0, 1))
          const next = await inbox.list({
            ...filter,
            limit: 2,
            order: 'oldest',
            ...(second && { after: second }),
          })
          expect(next.map(({ id }) => id)).toEqual(those(2, 3))
          const skipping = await inbox.list({ ...filter, limit: 2, offset: 3 })
          expect(skipping.map(({ id }) => id)).toEqual(those(2, 1))
          expect(await inbox.countDeliveries({ ...filter, endpoint: 'two' })).toBe(3)
        }
      }
    })

    test('replays the deliveries that match', async ({ inbox, now, expect }) => {
      await inbox.record(createOfKind(now(), 'doorbell:1', 'door.opened'))
      await inbox.record(createOfKind(now(), 'doorbell:2', 'door.closed'))
      await settleAll(inbox)
      const { deliveries } = await inbox.replay({ filter: { kind: 'door.c*' }, limit: 10 })
      expect(deliveries.map(({ events }) => events)).toEqual([['doorbell:2']])
    })
  })
}
