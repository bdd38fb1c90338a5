import { createDelivery, listEventIds } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it, vi } from 'vitest'
import { doorbell, never } from '../../test/doorbell.ts'
import { useOwnClock } from '../../test/own-clock.ts'
import {
  type Attempt,
  createDispatcher,
  type Dispatcher,
  type CompleteInbox,
  createMemoryBus,
  createMemoryInbox,
  type Publisher,
  type Work,
} from '../index.ts'
import type { DispatcherOptions } from './dispatcher.ts'

const away = () => Promise.reject(new Error('away'))
const pollMs = 60_000
const mebibyte = 1024 * 1024

const pass = useOwnClock()
/** Work that does not wait for the next poll takes a few milliseconds. */
const soon = () => pass(10)

type SituationOptions = Partial<DispatcherOptions> & { readonly inbox?: CompleteInbox }

interface Situation {
  readonly inbox: CompleteInbox
  readonly dispatcher: Dispatcher
  readonly attempts: Attempt[]
  /** The limits of every question for work that is due. */
  readonly claims: Record<Work, number[]>
  /** Records under a lease of the dispatcher's, as the gateway does. */
  readonly own: (...ids: string[]) => Promise<void>
}

function situation(options: SituationOptions = {}): Situation {
  const inner = options.inbox ?? createMemoryInbox()
  const attempts: Attempt[] = []
  const claims: Situation['claims'] = { publish: [], notify: [] }
  const inbox: CompleteInbox = {
    ...inner,
    claim: (work, how) => {
      claims[work].push(how.limit)
      return inner.claim(work, how)
    },
  }
  const dispatcher = createDispatcher({
    publisher: createMemoryBus(),
    pollMs,
    random: () => 0,
    onAttempt: (attempt) => attempts.push(attempt),
    ...options,
    inbox,
  })
  return {
    inbox,
    dispatcher,
    attempts,
    claims,
    async own(...ids) {
      const record = createDelivery(Date.now(), ...ids)
      const place = dispatcher.reserve(record)
      if (place) place.fill(await inbox.record(record, { leaseMs: place.leaseMs }))
      // Work of one turn of the event loop shares a batch.
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

/** A bus that answers on request. */
function heldBus() {
  const gate = Promise.withResolvers<undefined>()
  const batches: string[][] = []
  const publisher: Publisher = {
    publish: async (events) => {
      batches.push(events.map(({ id }) => id))
      await gate.promise
      return events.map(() => ({ ok: true }))
    },
  }
  return {
    publisher,
    batches,
    open: () => {
      gate.resolve(undefined)
    },
  }
}

const notifying = (notify: (id: string) => Promise<void>): Pick<DispatcherOptions, 'notifications'> => ({
  notifications: { providers: [doorbell], notifier: { notify: ({ title }) => notify(title) } },
})
const owing = (id: string) => ({ event: createEvent(id, 0), notify: true })

describe('the work of a dispatcher', () => {
  it('continues when its hooks fail', async () => {
    const hooks = [
      () => {
        throw new Error('the hook failed')
      },
      away,
    ]
    for (const hook of hooks) {
      const inner = createMemoryInbox()
      let failures = 2
      const inbox: CompleteInbox = {
        ...inner,
        claim: (work, how) => (failures-- > 0 ? away() : inner.claim(work, how)),
      }
      const told: string[] = []
      const { dispatcher } = situation({
        inbox,
        onAttempt: hook,
        onError: hook,
        ...notifying(async (id) => void told.push(id)),
      })
      await inner.record(createDelivery(Date.now(), owing('a'), owing('b')))
      dispatcher.start()
      await vi.advanceTimersByTimeAsync(pollMs + 10)
      expect(await inner.countPublished({})).toBe(2)
      expect(told).toEqual(['a', 'b'])
      await dispatcher.stop()
    }
  })

  it.each([
    ['nothing', async () => undefined as never],
    ['for fewer events', async () => []],
    [
      'by throwing',
      () => {
        throw new Error('password=hunter2')
      },
    ],
  ])('retries when a bus returns %s', async (_, first) => {
    const answers: Publisher['publish'][] = [first]
    const bus = createMemoryBus()
    const publisher: Publisher = {
      publish: (events, signal) => (answers.shift() ?? bus.publish.bind(bus))(events, signal),
    }
    const { inbox, dispatcher, attempts } = situation({ publisher })
    await inbox.record(createDelivery(Date.now(), 'a'))
    dispatcher.start()
    await vi.advanceTimersByTimeAsync(pollMs + 10)
    expect(attempts.map(({ outcome }) => outcome.status)).toEqual(['retry', 'done'])
    expect(attempts.map((attempt) => attempt.attempts)).toEqual([1, 2])
    expect(JSON.stringify(attempts)).not.toContain('hunter2')
    await dispatcher.stop()
  })

  it('sends other notifications once while one hangs', async () => {
    const told: string[] = []
    let hanging = true
    const { inbox, dispatcher, attempts } = situation(
      notifying(async (id) => {
        told.push(id)
        if (id === 'b' && hanging) await never()
      }),
    )
    await inbox.record(createDelivery(Date.now(), owing('a'), owing('b'), owing('c')))
    dispatcher.start()
    await vi.advanceTimersByTimeAsync(5000)
    hanging = false
    await vi.advanceTimersByTimeAsync(2 * pollMs)
    expect(told).toEqual(['a', 'b', 'c', 'b'])
    const notified = attempts.filter(({ work }) => work === 'notify')
    expect(notified.map(({ event, outcome }) => [event.id, outcome.status])).toEqual([
      ['a', 'done'],
      ['b', 'retry'],
      ['c', 'done'],
      ['b', 'done'],
    ])
    await dispatcher.stop()
  })

  it('attempts the work of one turn of the event loop together', async () => {
    const { publisher, batches, open } = heldBus()
    const { dispatcher, own } = situation({ publisher })
    dispatcher.start()
    await soon()
    await Promise.all([own('1'), own('2'), own('3')])
    expect(batches).toEqual([['1', '2', '3']])
    open()
    await soon()
    await dispatcher.stop()
  })

  it('claims only work that can start soon', async () => {
    const { publisher, batches, open } = heldBus()
    const { inbox, dispatcher, claims, own } = situation({
      publisher,
      batchSize: 2,
      concurrency: 2,
      pollMs: 1000,
    })
    dispatcher.start()
    await soon()
    await own('1')
    await own('2')
    await own('3', '4', '5')
    await inbox.record(createDelivery(Date.now(), 'others', 'more'))
    expect(batches).toEqual([['1'], ['2']])
    await vi.advanceTimersByTimeAsync(1000)
    expect(claims.publish).toEqual([4, 1])
    await vi.advanceTimersByTimeAsync(2000)
    expect(claims.publish).toEqual([4, 1])
    open()
    await soon()
    expect(await inbox.countPublished({})).toBe(7)
    await dispatcher.stop()
  })

  it('claims a limited number of bytes, and the rest afterwards', async () => {
    const inner = createMemoryInbox()
    const { publisher, batches, open } = heldBus()
    const claims: (number | undefined)[] = []
    const inbox: CompleteInbox = {
      ...inner,
      claim: (work, how) => {
        claims.push(how.maxBytes)
        return inner.claim(work, how)
      },
    }
    const { dispatcher } = situation({ inbox, publisher, pollMs: 1000, memoryBytes: 20 * mebibyte })
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await inner.record({ ...createDelivery(Date.now(), id), body: new Uint8Array(6 * mebibyte) })
    }
    dispatcher.start()
    await soon()
    expect(batches).toEqual([['a', 'b']])
    await vi.advanceTimersByTimeAsync(1000)
    expect(batches).toEqual([['a', 'b'], ['c']])
    await vi.advanceTimersByTimeAsync(2000)
    expect(claims).toEqual([16 * mebibyte, 4 * mebibyte])
    // Claimed work counts like recorded work.
    const large = { ...createDelivery(Date.now(), 'own'), body: new Uint8Array(3 * mebibyte) }
    expect(dispatcher.reserve(large)).toBeUndefined()
    open()
    await soon()
    expect(await inner.countPublished({})).toBe(6)
    expect(dispatcher.reserve(large)).toBeDefined()
    await dispatcher.stop()
  })

  it('works with an inbox that ignores maxBytes', async () => {
    const inner = createMemoryInbox()
    const inbox: CompleteInbox = {
      ...inner,
      claim: (work, { limit, leaseMs }) => inner.claim(work, { limit, leaseMs }),
    }
    const { dispatcher } = situation({ inbox, batchSize: 1 })
    await inner.record(createDelivery(Date.now(), ...Array.from({ length: 20 }, (_, index) => `${index}`)))
    dispatcher.start()
    await soon()
    expect(await inner.countPublished({})).toBe(20)
    await dispatcher.stop()
  })

  it.each<[string, (ahead: () => number) => SituationOptions]>([
    ['is set back', (back) => ({ now: () => 1_000_000 - back() })],
    ['stands still', () => ({ monotonicNow: () => 0 })],
  ])('starts no attempt under an expired lease when a clock %s', async (_, clocks) => {
    const { publisher, batches } = heldBus()
    let back = 0
    const { dispatcher, own } = situation({
      ...{ publisher, batchSize: 1, concurrency: 1, leaseMs: 6000 },
      ...clocks(() => back),
    })
    dispatcher.start()
    await soon()
    await own('a')
    await own('b')
    back = 20_000
    await vi.advanceTimersByTimeAsync(5500)
    expect(batches).toEqual([['a']])
    await dispatcher.stop()
  })

  it('claims again at once when a wake arrives during a claim', async () => {
    const inner = createMemoryInbox()
    const gate = Promise.withResolvers<undefined>()
    const told: string[] = []
    let asked = 0
    const inbox: CompleteInbox = {
      ...inner,
      async claim(work, how) {
        const claimed = await inner.claim(work, how)
        if (work === 'notify' && ++asked === 1) await gate.promise
        return claimed
      },
    }
    const { dispatcher } = situation({ inbox, ...notifying(async (id) => void told.push(id)) })
    await inner.record(createDelivery(Date.now(), owing('a')))
    dispatcher.start()
    await soon()
    expect(await inner.countPublished({})).toBe(1)
    gate.resolve(undefined)
    await soon()
    expect(told).toEqual(['a'])
    await dispatcher.stop()
  })

  it('reports a lease that another process has as lost, and does not notify', async () => {
    let ahead = 0
    const inner = createMemoryInbox({ now: () => Date.now() + ahead })
    const { publisher, open } = heldBus()
    const { dispatcher, attempts, claims } = situation({
      inbox: inner,
      publisher,
      ...notifying(async () => undefined),
    })
    await inner.record(createDelivery(Date.now(), owing('a')))
    dispatcher.start()
    await soon()
    ahead = 20_000
    expect(listEventIds(await inner.claim('publish', { limit: 1, leaseMs: 15_000 }))).toEqual(['a'])
    open()
    await soon()
    expect(attempts.map(({ work, outcome }) => [work, outcome])).toEqual([['publish', { status: 'lost' }]])
    expect(await inner.countPublished({})).toBe(0)
    expect(claims.notify).toHaveLength(1)
    await dispatcher.stop()
  })

  it('continues after a store did not answer for the time of a lease', async () => {
    for (const step of ['claim', 'settle'] as const) {
      const inner = createMemoryInbox()
      const hanging = { claim: 0, settle: 0, [step]: 1 }
      const errors: unknown[] = []
      const { inbox, dispatcher } = situation({
        inbox: {
          ...inner,
          claim: (work, how) => (hanging.claim-- > 0 ? never() : inner.claim(work, how)),
          settle: (work, ends) => (hanging.settle-- > 0 ? never() : inner.settle(work, ends)),
        },
        concurrency: 1,
        onError: (error) => errors.push(error),
      })
      await inbox.record(createDelivery(Date.now(), 'a'))
      dispatcher.start()
      await vi.advanceTimersByTimeAsync(2 * pollMs + 1)
      expect(errors).toMatchObject([{ name: 'TimeoutError' }])
      expect(await inbox.countPublished({})).toBe(1)
      await dispatcher.stop()
    }
  })

  it('drains a backlog of 5,000 without waiting for a poll', async () => {
    const { inbox, dispatcher } = situation({ publisher: createMemoryBus() })
    for (let delivery = 0; delivery < 50; delivery++) {
      const ids = Array.from({ length: 100 }, (_, index) => `${delivery}-${index}`)
      await inbox.record(createDelivery(Date.now(), ...ids))
    }
    dispatcher.start()
    await vi.advanceTimersByTimeAsync(pollMs / 2)
    expect(await inbox.countPublished({})).toBe(5000)
    await dispatcher.stop()
  })

  it('stops claiming after the backlog', async () => {
    const { inbox, dispatcher, claims } = situation({ batchSize: 1, concurrency: 2 })
    await inbox.record(createDelivery(Date.now(), 'a', 'b', 'c'))
    dispatcher.start()
    await soon()
    expect(await inbox.countPublished({})).toBe(3)
    const asked = claims.publish.length
    await vi.advanceTimersByTimeAsync(pollMs / 2)
    expect(claims.publish).toHaveLength(asked)
    await dispatcher.stop()
  })
})

describe('a dispatcher that stops', () => {
  it('reserves nothing before its start and after its stop', async () => {
    const { dispatcher } = situation()
    expect(dispatcher.reserve(createDelivery(0, 'a'))).toBeUndefined()
    dispatcher.start()
    expect(dispatcher.reserve(createDelivery(0, 'a'))).toBeDefined()
    expect(dispatcher.reserve(createDelivery(0))).toBeUndefined()
    await dispatcher.stop()
    expect(dispatcher.reserve(createDelivery(0, 'a'))).toBeUndefined()
    dispatcher.start()
    expect(dispatcher.reserve(createDelivery(0, 'a'))).toBeDefined()
    await dispatcher.stop()
  })

  it('releases work that is recorded after its stop', async () => {
    const { inbox, dispatcher } = situation()
    dispatcher.start()
    const record = createDelivery(Date.now(), 'a')
    const place = dispatcher.reserve(record)
    await dispatcher.stop()
    place?.fill(await inbox.record(record, { leaseMs: place.leaseMs }))
    await soon()
    expect(listEventIds(await inbox.claim('publish', { limit: 10, leaseMs: 1000 }))).toEqual(['a'])
  })

  it('releases the work of a running claim', async () => {
    const inner = createMemoryInbox()
    const gate = Promise.withResolvers<undefined>()
    let settled = 0
    const inbox: CompleteInbox = {
      ...inner,
      async claim(work, how) {
        const claimed = await inner.claim(work, how)
        await gate.promise
        return claimed
      },
      async settle(work, settlements) {
        await vi.advanceTimersByTimeAsync(5)
        settled += settlements.length
        return inner.settle(work, settlements)
      },
    }
    const { dispatcher } = situation({ inbox })
    await inner.record(createDelivery(Date.now(), 'a', 'b'))
    dispatcher.start()
    const stopping = dispatcher.stop()
    gate.resolve(undefined)
    await stopping
    expect(settled).toBe(2)
    expect(listEventIds(await inner.claim('publish', { limit: 10, leaseMs: 1000 }))).toEqual(['a', 'b'])
  })

  const hangs: [string, (inner: CompleteInbox) => SituationOptions][] = [
    ['a bus that hangs', () => ({ publisher: { publish: never } })],
    ['a store that hangs', (inner) => ({ inbox: { ...inner, settle: never } })],
    ['a claim that hangs', (inner) => ({ inbox: { ...inner, claim: never } })],
  ]
  it.each(hangs)('waits no longer than its grace for %s', async (_, hang) => {
    for (const graceMs of [700, undefined]) {
      const { dispatcher, own } = situation({
        batchSize: 1,
        concurrency: 1,
        timeoutMs: 3000,
        ...hang(createMemoryInbox()),
      })
      dispatcher.start()
      await own('a', 'b')
      let stopped = false
      void dispatcher.stop(graceMs).then(() => (stopped = true))
      await vi.advanceTimersByTimeAsync((graceMs ?? 3000) - 1)
      expect(stopped).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect(stopped).toBe(true)
      await vi.advanceTimersByTimeAsync(20_000)
    }
  })

  it('waits for running attempts only', async () => {
    const { publisher, open } = heldBus()
    const { inbox, dispatcher, own } = situation({ publisher })
    dispatcher.start()
    await own('a')
    let stopped = false
    void dispatcher.stop(60_000).then(() => (stopped = true))
    await soon()
    expect(stopped).toBe(false)
    open()
    await soon()
    expect(stopped).toBe(true)
    expect(await inbox.countPublished({})).toBe(1)
  })

  it.each([Infinity, 2 ** 31])('waits as long as it takes with a grace of %d', async (graceMs) => {
    const { publisher, open } = heldBus()
    const { dispatcher, own } = situation({ publisher })
    dispatcher.start()
    await own('a')
    let stopped = false
    void dispatcher.stop(graceMs).then(() => (stopped = true))
    await vi.advanceTimersByTimeAsync(1000)
    expect(stopped).toBe(false)
    open()
    await soon()
    expect(stopped).toBe(true)
  })

  it('rejects a grace period that is not a number', async () => {
    const { dispatcher } = situation()
    dispatcher.start()
    await soon()
    for (const none of [NaN, '5000' as never]) {
      await expect(dispatcher.stop(none)).rejects.toThrow(new TypeError('graceMs must be a number'))
    }
    await dispatcher.stop()
  })
})
