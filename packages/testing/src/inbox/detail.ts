import { createEvent } from '@sallyport/webhooks/testing'
import { claimAll, createDelivery, createQuarantinedDelivery, getDetail, settleAll } from '../records.ts'
import type { InboxContext } from './context.ts'

export function testDetail({ describe, test, durableTest }: InboxContext): void {
  const body = new TextEncoder().encode(JSON.stringify({ door: 'front '.repeat(200) }))

  describe('get', () => {
    test('returns a delivery unchanged', async ({ inbox, now, expect }) => {
      const headers = { 'content-type': 'application/json', __proto__x: 'y' }
      const delivery = {
        ...createDelivery(now(), 'doorbell:a', { route: 'queue', notify: true }),
        headers,
        query: 'data.id=1&door=%C3%84+b\\',
        body,
      }
      await inbox.record(delivery)
      const detail = await getDetail(inbox, delivery)
      expect(detail.headers).toEqual(headers)
      expect(detail.query).toBe(delivery.query)
      expect([...(detail.body ?? [])]).toEqual([...body])
      expect([detail.status, detail.bodyState, detail.bodyBytes]).toEqual([
        'pending',
        'stored',
        body.byteLength,
      ])
      const state = { status: 'pending', attempts: 0, dueAt: now(), failures: [] }
      expect(detail.events).toEqual([
        { ...state, event: delivery.events[0]?.event, route: 'direct' },
        {
          ...state,
          event: delivery.events[1]?.event,
          route: 'queue',
          notification: { status: 'waiting', attempts: 0, failures: [] },
        },
      ])
    })

    test('returns whether the last publication was a duplicate on the bus', async (context) => {
      const { inbox, now, expect } = context
      const delivery = createDelivery(now(), 'doorbell:a', 'doorbell:b', 'doorbell:c')
      await inbox.record(delivery)
      const flags = async () => {
        const { events } = await getDetail(inbox, delivery)
        return events.map(({ duplicate = false }) => duplicate)
      }
      const [a, b] = await claimAll(inbox)
      await inbox.settle('publish', [
        { id: 'doorbell:a', lease: a?.lease ?? '', outcome: { status: 'done', duplicate: true } },
        { id: 'doorbell:b', lease: b?.lease ?? '', outcome: { status: 'done' } },
      ])
      await inbox.forwarded(['doorbell:c'], { duplicates: ['doorbell:c'] })
      expect(await flags()).toEqual([true, false, true])
      await inbox.replay({ ids: [delivery.id] })
      expect(await flags()).toEqual([false, false, false])
      await settleAll(inbox, { status: 'done', duplicate: true })
      expect(await flags()).toEqual([true, true, true])
      await inbox.replay({ ids: [delivery.id] })
      await settleAll(inbox)
      expect(await flags()).toEqual([false, false, false])
    })

    test('returns undefined for an unknown id', async ({ inbox, expect }) => {
      expect(await inbox.get('00000000-0000-7000-8000-ffffffffffff')).toBe(undefined)
      expect(await inbox.get('')).toBe(undefined)
    })

    test('returns a quarantined delivery with its body', async ({ inbox, now, expect }) => {
      const delivery = createQuarantinedDelivery(now())
      await inbox.record(delivery)
      const { status, reason, events, query, body: kept } = await getDetail(inbox, delivery)
      expect([status, reason, events, query]).toEqual(['quarantined', 'NORMALIZER_FAILED', [], undefined])
      expect([...(kept ?? [])]).toEqual([...delivery.body])
    })

    test('returns the reason and the optional detail of a quarantine', async (context) => {
      const { inbox, now, expect } = context
      const plain = createQuarantinedDelivery(now(), 'doorbell:plain')
      const detailed = createQuarantinedDelivery(now(), 'doorbell:detailed')
      const quarantine = {
        key: 'doorbell:detailed',
        reason: 'NORMALIZER_FAILED',
        detail: 'data.door custom: a, data.\\u0000.*',
      }
      await inbox.record(plain)
      await inbox.record({ ...detailed, quarantine })
      expect((await getDetail(inbox, plain)).reasonDetail).toBe(undefined)
      const { reason, reasonDetail } = await getDetail(inbox, detailed)
      expect([reason, reasonDetail]).toEqual([quarantine.reason, quarantine.detail])
    })

    test('returns the end of the lease and the time of publication', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      await claimAll(inbox, 'publish', 1000)
      expect((await getDetail(inbox, delivery)).events[0]?.leaseEndsAt).toBe(now() + 1000)
      advance(1000)
      await settleAll(inbox)
      const [state] = (await getDetail(inbox, delivery)).events
      expect([state?.status, state?.publishedAt, state?.dueAt, state?.leaseEndsAt]).toEqual([
        'published',
        now(),
        undefined,
        undefined,
      ])
    })

    test('returns no lease of an event whose notification is leased', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(now(), { event: createEvent('doorbell:a', now()), notify: true })
      await inbox.record(delivery)
      await settleAll(inbox)
      await claimAll(inbox, 'notify', 1000)
      expect((await getDetail(inbox, delivery)).events[0]?.leaseEndsAt).toBe(undefined)
    })

    test('keeps the newest 20 failures of an event and of its notification', async (context) => {
      const { inbox, now, advance, expect } = context
      const delivery = createDelivery(
        now(),
        { event: createEvent('doorbell:a', now()), notify: true },
        'doorbell:b',
      )
      await inbox.record(delivery)
      const failures: { at: number; error: string }[] = []
      for (let attempt = 1; attempt <= 22; attempt++) {
        const error = `the bus failed \0 ${attempt}`
        await settleAll(inbox, { status: 'retry', afterMs: 1000, error })
        failures.push({ at: now(), error })
        advance(1000)
      }
      await settleAll(inbox)
      failures.splice(0, 2)
      await settleAll(inbox, { status: 'retry', afterMs: 5000, error: 'the notifier failed' }, 'notify')
      const told = { at: now(), error: 'the notifier failed' }
      const detail = await getDetail(inbox, delivery)
      expect(detail.events.map((state) => state.failures)).toEqual([failures, failures])
      expect(detail.events[0]?.attempts).toBe(22)
      expect(detail.events[0]?.notification).toEqual({
        status: 'pending',
        attempts: 1,
        dueAt: now() + 5000,
        failures: [told],
      })
      expect(detail.events[1]?.notification).toBe(undefined)
      advance(5000)
      await settleAll(inbox, { status: 'dead', error: 'the notifier failed for good' }, 'notify')
      const ended = (await getDetail(inbox, delivery)).events[0]?.notification
      expect(ended).toEqual({
        status: 'dead',
        attempts: 2,
        failures: [told, { at: now(), error: 'the notifier failed for good' }],
      })
    })

    test('keeps failures of an event apart from those of its notification', async ({
      inbox,
      now,
      expect,
    }) => {
      const delivery = createDelivery(now(), { event: createEvent('doorbell:a', now()), notify: true })
      await inbox.record(delivery)
      const fail = async (work: 'publish' | 'notify', count: number) => {
        const errors = Array.from({ length: count }, (_, index) => `${work} failed: ${index}`)
        for (const error of errors) await settleAll(inbox, { status: 'retry', afterMs: 0, error }, work)
        return errors
      }
      const ofEvent = await fail('publish', 3)
      await settleAll(inbox)
      const ofNotification = await fail('notify', 21)
      const [state] = (await getDetail(inbox, delivery)).events
      expect(state?.failures.map(({ error }) => error)).toEqual(ofEvent)
      expect(state?.notification?.failures.map(({ error }) => error)).toEqual(ofNotification.slice(1))
    })

    durableTest('returns the records of another process', async ({ inbox, now, reopen, expect }) => {
      const delivery = { ...createDelivery(now(), 'doorbell:a'), body }
      await inbox.record(delivery)
      const detail = await getDetail(await reopen(), delivery)
      expect([...(detail.body ?? [])]).toEqual([...body])
    })
  })
}
