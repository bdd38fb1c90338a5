import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchReconciliations } from '../alerts/reconciliations.ts'
import { createMemoryDatabase } from '../memory/database.ts'
import { defineService } from '../provider/service.ts'
import { hmac } from '../schemes/hmac.ts'
import { createWebhooks } from '../webhooks/create-webhooks.ts'
import { createReconciler, type ReconcilerOptions } from './reconciler.ts'
import { maxAsked } from './run.ts'
import type { FeedSource, MissedDelivery, ReconcileWindow, RedeliverySource } from './source.ts'
import { createMemoryReconciliationStore } from './store.ts'

const shop = defineService({
  name: 'shop',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
  kind: 'type',
  id: 'id',
})

const minute = 60_000
let now = 0
const clock = () => now

beforeEach(() => {
  now = Date.UTC(2026, 0, 1)
})
afterEach(() => {
  vi.useRealTimers()
})

function createTest(sources: ReconcilerOptions['sources'], options: Partial<ReconcilerOptions> = {}) {
  const database = createMemoryDatabase()
  const webhooks = createWebhooks({
    ...{ database, providers: [shop], secrets: { shop: 'secret' }, on: {}, onError: () => undefined },
  })
  const inbox = database.inbox() as ReconcilerOptions['inbox']
  const store = createMemoryReconciliationStore(clock)
  const onError = vi.fn()
  const parts = { store, inbox, gateway: webhooks.gateway, sources, onError, now: clock, ...options }
  const reconciler = createReconciler(parts)
  const getState = async (name = sources[0]?.name) => {
    const found = (await reconciler.list()).find((one) => one.name === name)
    if (found === undefined) throw new Error('There is no such source')
    return found
  }
  /** Delivers as the service does. */
  const push = async (id: string, deliveryId = id) => {
    const body = encode(id)
    const delivery = { method: 'POST', headers: new Headers({ 'x-delivery-id': deliveryId }), body }
    const signed = await shop.signature.sign(delivery, 'secret', Date.now())
    const headers = { ...signed, 'x-delivery-id': deliveryId }
    const init = { method: 'POST', headers, body }
    const response = await webhooks.fetch(new Request('https://gateway.example/webhooks/shop', init))
    expect(response.status).toBe(200)
  }
  return { ...parts, reconciler, getState, push, createOther: () => createReconciler(parts) }
}

const encode = (id: string) => new TextEncoder().encode(JSON.stringify({ id, type: 'order.created' }))
const rateLimit = () =>
  Object.assign(new Error('Slow down'), { code: 'RATE_LIMITED', retryAfterMs: 5 * minute })
const refused = () => Object.assign(new Error('The token abc is wrong'), { code: 'HTTP_401' })

/** A service that lists events, and fails when a text in place of an event says so. */
function createFeed(events: (string | Error)[], windows: ReconcileWindow[] = []): FeedSource {
  return {
    ...{ name: 'shop', provider: 'shop' },
    async *list(window) {
      windows.push(window)
      for (const one of events) {
        await Promise.resolve()
        if (one instanceof Error) throw one
        yield { id: one, at: window.since, body: encode(one) }
      }
    },
  }
}

/** A service that lists failed deliveries. */
function createRedelivery(failed: readonly string[]) {
  const redeliver = vi.fn<RedeliverySource['redeliver']>(() => Promise.resolve(false))
  const source: RedeliverySource = {
    ...{ name: 'shop', provider: 'shop', redeliver },
    async *list({ since, until }) {
      for (const [index, id] of failed.entries()) {
        await Promise.resolve()
        const missed: MissedDelivery = { id, at: Math.min(since + index, until), ref: `ref ${id}` }
        yield missed
      }
    },
  }
  return { source, redeliver }
}

test('Events of a feed that were also pushed are one event, and recovered ones are marked', async () => {
  const { reconciler, inbox, push, getState } = createTest([createFeed(['evt_1', 'evt_2', 'evt_2'])])
  await push('evt_1')
  await reconciler.check()
  await push('evt_2')
  expect(await inbox.list({ limit: 10 })).toHaveLength(2)
  const [recovered, ...others] = await inbox.list({ value: 'recovered:shop', limit: 10 })
  expect(others).toEqual([])
  expect(recovered).toMatchObject({ provider: 'shop', kind: 'order.created' })
  const { state, mode } = await getState()
  expect(mode).toBe('feed')
  expect(state).toMatchObject({ recovered: 1, last: { missed: 1, recovered: 1, ids: ['evt_2'] } })
})

test('No sender can pass a delivery off as recovered', async () => {
  const { inbox, push } = createTest([])
  await push('evt_1', 'recovered:shop')
  expect(await inbox.list({ limit: 10 })).toHaveLength(1)
  expect(await inbox.list({ value: 'recovered:shop', limit: 10 })).toEqual([])
})

test('The window of a run begins before the end of the last one, also after an outage', async () => {
  const windows: ReconcileWindow[] = []
  const { reconciler } = createTest([createFeed([], windows)])
  await reconciler.check()
  const first = now
  now += minute
  await reconciler.check()
  expect(windows).toHaveLength(1)
  now += 48 * 60 * minute
  await reconciler.check()
  expect(windows[1]).toMatchObject({ since: first - 2 * minute, until: now })
})

test('A failed run is an alert without its message, and the next one covers its window', async () => {
  const events: (string | Error)[] = [refused()]
  const windows: ReconcileWindow[] = []
  const { reconciler, getState, onError } = createTest([createFeed(events, windows)])
  await reconciler.check()
  expect((await getState()).state).toMatchObject({ error: 'HTTP_401', failingSince: now })
  expect(onError).toHaveBeenCalledOnce()
  const [alert] = await watchReconciliations(reconciler).find(now + minute, new AbortController().signal)
  expect(alert).toMatchObject({ name: 'reconcile_failed/shop', severity: 'error' })
  expect(JSON.stringify(alert)).not.toContain('abc')

  events.splice(0, 1, 'evt_1')
  now += 15 * minute
  await reconciler.check()
  expect(windows[1]?.since).toBe(windows[0]?.since)
  const { state } = await getState()
  expect(state).toMatchObject({ recovered: 1 })
  expect(state).not.toHaveProperty('error')
  expect(await watchReconciliations(reconciler).find(now, new AbortController().signal)).toEqual([])
})

test('A rate limit pauses a run, which continues at its position', async () => {
  const windows: ReconcileWindow[] = []
  const limited = [rateLimit()]
  const source: FeedSource = {
    ...{ name: 'shop', provider: 'shop' },
    async *list(window) {
      windows.push(window)
      yield { id: 'evt_1', at: window.since, body: encode('evt_1') }
      await window.checked(window.since + 1000)
      const error = limited.pop()
      if (error) throw error
      yield { id: 'evt_2', at: window.since, body: encode('evt_2') }
    },
  }
  const { reconciler, getState, onError } = createTest([source])
  await reconciler.check()
  const paused = await getState()
  expect(paused.state).not.toHaveProperty('error')
  expect(paused.dueMs).toBe(5 * minute)
  now += 5 * minute
  await reconciler.check()
  expect(windows[1]?.since).toBe((windows[0]?.since ?? 0) + 1000)
  expect(windows[1]?.until).toBe(windows[0]?.until)
  expect((await getState()).state).toMatchObject({ recovered: 2, last: { recovered: 2 } })
  expect(onError).not.toHaveBeenCalled()
})

test('A source that limits the rate for a day is an alert', async () => {
  const { reconciler, getState } = createTest([createFeed([rateLimit()])])
  for (let hours = 0; hours < 24; hours++) {
    await reconciler.check()
    expect((await getState()).state).not.toHaveProperty('error')
    now += 60 * minute
  }
  await reconciler.check()
  expect(await getState()).toMatchObject({ dueMs: 5 * minute, state: { error: 'RATE_LIMITED' } })
})

test('A process that was killed in a run is replaced, and each event is recorded once', async () => {
  const { promise: killed, resolve: kill } = Promise.withResolvers<undefined>()
  let runs = 0
  const source: FeedSource = {
    ...{ name: 'shop', provider: 'shop' },
    async *list({ since }) {
      yield { id: 'evt_1', at: since, body: encode('evt_1') }
      if (++runs === 1) {
        kill(undefined)
        await new Promise(() => undefined)
      }
      yield { id: 'evt_2', at: since, body: encode('evt_2') }
    },
  }
  const { reconciler, createOther, inbox, getState } = createTest([source])
  void reconciler.check()
  await killed
  const other = createOther()
  await other.check()
  expect(runs).toBe(1)
  now += minute
  await other.check()
  expect(runs).toBe(2)
  expect(await inbox.list({ limit: 10 })).toHaveLength(2)
  expect((await getState()).state.last).toMatchObject({ recovered: 1 })
})

test('A failed delivery is asked for once, and counts when it has arrived', async () => {
  const { source, redeliver } = createRedelivery(['d1', 'd2'])
  const { reconciler, push, getState } = createTest([source])
  await push('evt_1', 'd1')
  await reconciler.check()
  expect(redeliver.mock.calls.map(([ref]) => ref)).toEqual(['ref d2'])
  const asked = await getState()
  expect(asked).toMatchObject({ mode: 'redelivery', dueMs: 30_000 })
  expect(asked.state).toMatchObject({ recovered: 0, last: { missed: 1, ids: ['d2'] } })
  await push('evt_2', 'd2')
  now += 30_000
  await reconciler.check()
  expect(redeliver).toHaveBeenCalledOnce()
  expect((await getState()).state).toMatchObject({ recovered: 1, asked: [] })
})

test('A redelivery that the service reports as delivered is done, also if the gateway ignored it', async () => {
  const failed = ['d1', 'd2']
  const { source, redeliver } = createRedelivery(failed)
  const delivered: MissedDelivery[] = []
  const { reconciler, inbox, push, getState } = createTest([
    {
      ...source,
      async *list(window) {
        yield* source.list(window)
        yield* delivered
      },
    },
  ])
  redeliver.mockImplementation(async (ref) => {
    if (ref !== 'ref d2') return false
    await push('evt_2', 'd2')
    return true
  })
  await reconciler.check()
  expect((await getState()).state).toMatchObject({ recovered: 1, asked: [{ id: 'd1' }] })
  failed.push('d3')
  await reconciler.request('shop', { isDry: false })
  await reconciler.check()
  for (const id of ['d1', 'd3']) delivered.push({ id, at: now, ref: 'ref later', isDelivered: true })
  // The inbox gets this one between the look for earlier redeliveries and the list.
  const list = inbox.list.bind(inbox)
  const look = vi.spyOn(inbox, 'list').mockImplementationOnce(list)
  look.mockImplementationOnce(async (query) => {
    const found = await list(query)
    await push('evt_3', 'd3')
    return found
  })
  now += 30_000
  await reconciler.check()
  expect((await getState()).state).toMatchObject({ recovered: 2, abandoned: 0, asked: [] })
  expect(redeliver).toHaveBeenCalledTimes(3)
})

test('A redelivery that never arrives is asked for with growing pauses, and is given up', async () => {
  const failed = ['d1']
  const { source, redeliver } = createRedelivery(failed)
  const { reconciler, getState } = createTest([source])
  await reconciler.check()
  failed.pop()
  const start = now
  const times: number[] = []
  for (let step = 0; step < 40; step++) {
    now += 15 * minute
    const before = redeliver.mock.calls.length
    await reconciler.check()
    if (redeliver.mock.calls.length > before) times.push((now - start) / minute)
  }
  expect(times).toEqual([15, 45, 105, 225])
  expect((await getState()).state).toMatchObject({ recovered: 0, abandoned: 1, asked: [] })
  const { signal } = new AbortController()
  const alert = { name: 'reconcile_abandoned/shop', severity: 'warning' }
  expect(await watchReconciliations(reconciler).find(now, signal)).toMatchObject([alert])
  expect(await watchReconciliations(reconciler).find(now + 24 * 60 * minute, signal)).toEqual([])
})

test('Many failed deliveries are asked for in parts', async () => {
  const failed = Array.from({ length: maxAsked + 5 }, (_, index) => `d${index}`)
  const { source, redeliver } = createRedelivery(failed)
  const { reconciler, push, getState } = createTest([source])
  await reconciler.check()
  expect(redeliver).toHaveBeenCalledTimes(maxAsked)
  now += 30_000
  await reconciler.check()
  // None has arrived: the next run waits for the usual interval.
  expect((await getState()).dueMs).toBe(15 * minute)
  for (const id of failed.slice(0, maxAsked)) await push(`evt ${id}`, id)
  now += 15 * minute
  await reconciler.check()
  expect(redeliver).toHaveBeenCalledTimes(failed.length)
  expect((await getState()).state).toMatchObject({ recovered: maxAsked, last: { missed: failed.length } })
})

test.each(['feed', 'redelivery'])('A dry run of a %s changes nothing and moves no window', async (mode) => {
  const { source, redeliver } = createRedelivery(['evt_1', 'evt_2'])
  const { reconciler, push, inbox, getState } = createTest([
    mode === 'feed' ? createFeed(['evt_1', 'evt_2']) : source,
  ])
  await push('evt_1')
  const id = await reconciler.request('shop', { since: now - 60 * minute, isDry: true })
  await reconciler.check()
  const { state } = await getState()
  expect(state).toMatchObject({ recovered: 0, last: { id, missed: 1, ids: ['evt_2'], isDry: true } })
  expect(state).not.toHaveProperty('cursor')
  expect(redeliver).not.toHaveBeenCalled()
  expect(await inbox.list({ limit: 10 })).toHaveLength(1)
})

test('A dry run of a feed counts no event that the gateway would ignore', async () => {
  const { reconciler, getState } = createTest([createFeed(['evt_1'])], {
    gateway: createWebhooks({
      ...{ database: createMemoryDatabase(), secrets: { shop: 'secret' }, on: {} },
      providers: [{ ...shop, only: ['order.paid'] }],
    }).gateway,
  })
  await reconciler.request('shop', { since: now - 60 * minute, isDry: true })
  await reconciler.check()
  expect((await getState()).state.last).toMatchObject({ isDry: true, missed: 0, ids: [] })
})

test('A requested run that begins after the checked time leaves the time between to the next run', async () => {
  const windows: ReconcileWindow[] = []
  const { reconciler, getState } = createTest([createFeed([], windows)])
  await reconciler.check()
  const cursor = now
  now += 60 * minute
  await reconciler.request('shop', { since: now - minute, isDry: false })
  await reconciler.check()
  expect(windows[1]?.since).toBe(now - minute)
  expect((await getState()).state.cursor).toBe(cursor)
  expect(await reconciler.request('other', { isDry: false })).toBeUndefined()
})

test('A clock that was ahead and is set back hides no time', async () => {
  const windows: ReconcileWindow[] = []
  const { reconciler, getState } = createTest([createFeed([], windows)])
  await reconciler.check()
  now += 24 * 60 * minute
  await reconciler.check()
  now -= 24 * 60 * minute
  await reconciler.check()
  expect(windows).toHaveLength(3)
  expect(windows[2]).toMatchObject({ since: now - 17 * minute, until: now })
  await reconciler.check()
  expect(windows).toHaveLength(3)
  expect(await getState()).toMatchObject({ dueMs: 15 * minute, state: { cursor: now } })
})

test('A delivery that the service cannot send again does not stop the others', async () => {
  const failed = ['d1', 'd2']
  const { source, redeliver } = createRedelivery(failed)
  const { reconciler, getState } = createTest([source])
  redeliver.mockRejectedValueOnce(Object.assign(new Error('Refused'), { code: 'HTTP_422' }))
  await reconciler.check()
  expect(redeliver).toHaveBeenCalledTimes(2)
  failed.splice(0)
  redeliver.mockRejectedValue(Object.assign(new Error('Gone'), { code: 'HTTP_404' }))
  for (let step = 0; step < 40; step++) {
    now += 15 * minute
    await reconciler.check()
  }
  expect((await getState()).state).toMatchObject({ abandoned: 2, asked: [] })
  expect((await getState()).state).not.toHaveProperty('error')
})

test('A token that may not ask for redeliveries ends the run', async () => {
  const { source, redeliver } = createRedelivery(['d1'])
  const { reconciler, getState } = createTest([source])
  redeliver.mockRejectedValue(Object.assign(new Error('Not found'), { code: 'HTTP_404' }))
  await reconciler.check()
  expect((await getState()).state).toMatchObject({ error: 'HTTP_404', asked: [] })
})

test('A requested run that fails is not repeated at once', async () => {
  const windows: ReconcileWindow[] = []
  const { reconciler } = createTest([createFeed([refused()], windows)])
  await reconciler.request('shop', { since: 0, isDry: false })
  await reconciler.check()
  now += minute
  await reconciler.check()
  expect(windows).toHaveLength(1)
  now += 15 * minute
  await reconciler.check()
  expect(windows[1]?.since).toBe(0)
})

test('stop ends a running request, and the run continues later', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>()
  const source: FeedSource = {
    ...{ name: 'shop', provider: 'shop' },
    async *list({ signal }) {
      begin(undefined)
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error)
        })
      })
    },
  }
  const { reconciler, getState, onError } = createTest([source])
  reconciler.start()
  await begun
  await reconciler.stop()
  expect(onError).not.toHaveBeenCalled()
  expect(await getState()).toMatchObject({ dueMs: 0, state: { open: { until: now } } })
})

test.each([['an event that the gateway refuses', { endpoint: 'unknown' }, 'UNKNOWN_ENDPOINT']])(
  '%s ends the run with an error',
  async (_, parts, code) => {
    const { reconciler, getState } = createTest([{ ...createFeed(['evt_1']), ...parts }])
    await reconciler.check()
    expect((await getState()).state.error).toBe(code)
  },
)

test.each([[['A']], [['a', 'a']]])('Sources with the names %j are refused', (names) => {
  const sources = names.map((name) => ({ ...createFeed([]), name }))
  expect(() => createTest(sources)).toThrow(TypeError)
})
