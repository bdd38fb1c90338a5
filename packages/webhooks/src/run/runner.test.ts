import { createDelivery } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it, vi } from 'vitest'
import { doorbell, never } from '../../test/doorbell.ts'
import { useOwnClock } from '../../test/own-clock.ts'
import {
  createRunner,
  HandlerError,
  createMemoryInbox,
  type Attempt,
  type CompleteInbox,
  type Dispatcher,
  type WebhookEvent,
  type Message,
  type TransactionalHandler,
} from '../index.ts'
import type { RunnerOptions } from './runner-options.ts'
import { postponedMs } from '@sallyport/internal/postponed'

const pass = useOwnClock()
const sleep = (milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
    })
  })
const name = 'doorbell/bell.rung'

/** Creates the event of a lane. */
const inLane = (lane: string, id: string, isOrdered = true) => ({
  event: createEvent(id, 0, { name, subject: lane }),
  lane: { name: lane, isOrdered },
})

async function end(runner: Dispatcher): Promise<void> {
  const stopped = runner.stop(0)
  await pass(10)
  await stopped
}

function open(options: Partial<RunnerOptions> & { readonly inbox?: CompleteInbox }) {
  const attempts: Attempt[] = []
  const inbox = options.inbox ?? createMemoryInbox()
  const runner = createRunner({
    ...{ on: {}, random: () => 0.5 },
    onAttempt: (attempt) => attempts.push(attempt),
    ...options,
    inbox,
  })
  const outcomes = () => attempts.map(({ event, outcome }) => [event.id, outcome.status])
  const store = (...events: Parameters<typeof createDelivery>[1][]) =>
    inbox.record(createDelivery(Date.now(), ...events))
  /** Records as a gateway does. */
  const receive = async (...events: Parameters<typeof createDelivery>[1][]) => {
    const delivery = createDelivery(Date.now(), ...events)
    const reservation = runner.reserve(delivery)
    reservation?.fill(await inbox.record(delivery, { leaseMs: reservation.leaseMs }))
    await pass(1)
    return delivery
  }
  return { attempts, inbox, runner, outcomes, store, receive }
}

describe('lanes', () => {
  it('leaves other lanes alone while every event of one lane fails', async () => {
    const handled: string[] = []
    const { runner, store } = open({
      on: {
        [name]: ({ id, subject }) => {
          if (subject === 'broken') throw new Error('no')
          handled.push(id)
        },
      },
    })
    await store(...Array.from({ length: 110 }, (_, index) => inLane('broken', `broken:${index}`)))
    await store(inLane('fine', 'fine:1'))
    runner.start()
    await pass(5)
    expect(handled).toEqual(['fine:1'])
    await runner.stop()
  })

  it('leaves other lanes alone while one lane has 50 events of 30 seconds', async () => {
    const handled: string[] = []
    let [running, most] = [0, 0]
    const { runner, receive } = open({
      timeoutMs: 60_000,
      on: {
        [name]: async ({ id, subject }, signal) => {
          if (subject === 'slow') {
            most = Math.max(most, ++running)
            await sleep(30_000, signal)
            running--
          }
          handled.push(id)
        },
      },
    })
    runner.start()
    await receive(...Array.from({ length: 50 }, (_, index) => inLane('slow', `slow:${index}`)))
    await receive(inLane('quick', 'quick:1'))
    expect(handled).toEqual(['quick:1'])
    await pass(95_000)
    expect(handled).toEqual(['quick:1', 'slow:0', 'slow:1', 'slow:2'])
    expect(most).toBe(1)
    await end(runner)
  })

  it('keeps the order of records with two gateways, two runners and failures', async () => {
    const inbox = createMemoryInbox()
    const handled: string[] = []
    let calls = 0
    const on = {
      [name]: async ({ id }: WebhookEvent) => {
        await sleep(++calls % 7)
        if (calls % 10 === 0) throw new Error('sometimes')
        handled.push(id)
      },
    }
    const how = { inbox, on, concurrency: 4, backoff: { baseMs: 5 }, pollMs: 20 }
    const both = [open(how), open(how)]
    for (const { runner } of both) runner.start()
    for (let index = 0; index < 600; index++) {
      const lane = `customer ${index % 6}`
      await both[index % 2]!.receive(inLane(lane, `${lane}:${String(index).padStart(3, '0')}`))
    }
    await pass(60_000)
    for (let lane = 0; lane < 6; lane++) {
      const own = handled.filter((id) => id.startsWith(`customer ${lane}:`))
      expect(own).toHaveLength(100)
      expect(own).toEqual([...own].sort())
    }
    await Promise.all(both.map(({ runner }) => runner.stop()))
  })

  it('ends within a turn for an erasure, although the lane has always more events', async () => {
    const { inbox, runner, store } = open({ on: { [name]: () => sleep(300) }, pollMs: 20 })
    await store(...Array.from({ length: 1000 }, (_, index) => inLane('acme', `acme:${index}`)))
    await store(inLane('other', 'other:1'))
    runner.start()
    await pass(100)
    expect(await inbox.erase({ filter: {}, limit: 10 })).toMatchObject({ deliveries: 0, busy: 2 })
    await pass(1500)
    expect(await inbox.erase({ filter: {}, limit: 10 })).toMatchObject({ deliveries: 2, busy: 0 })
    await end(runner)
  })

  it.each([
    ['continue', 'published'],
    ['pause', 'pending'],
  ] as const)('after a dead letter: %s', async (onDead, status) => {
    const { runner, receive, inbox } = open({
      ...{ onDead, maxAttempts: 1 },
      on: { [name]: ({ id }) => (id === '1' ? Promise.reject(new Error('no')) : undefined) },
    })
    runner.start()
    const { id } = await receive(inLane('a', '1'), inLane('a', '2'))
    await pass(3000)
    expect((await inbox.get(id))?.events.map((event) => event.status)).toEqual(['dead', status])
    await runner.stop()
  })

  it('settles quick events of a lane together, and in their order after an outage of the inbox', async () => {
    const inbox = createMemoryInbox()
    const settleLanes = vi.spyOn(inbox, 'settleLanes').mockRejectedValueOnce(new Error('away'))
    const { runner, receive, outcomes } = open({ inbox, on: { [name]: () => undefined } })
    runner.start()
    await receive(...['1', '2', '3'].map((id) => inLane('a', id)))
    await pass(1000)
    expect(outcomes()).toEqual(['1', '2', '3'].map((id) => [id, 'done']))
    const settled = settleLanes.mock.calls.slice(1).flatMap(([lanes]) => lanes)
    expect(settled.flatMap(({ settlements }) => settlements.map(({ id }) => id))).toEqual(['1', '2', '3'])
    expect(settled.length).toBeLessThan(3)
    await runner.stop()
  })

  it('ends the turn of a lane whose lease is lost during a settlement', async () => {
    const inbox = createMemoryInbox()
    vi.spyOn(inbox, 'settleLanes').mockResolvedValue([{ isSettled: false, isDue: false }])
    const signals: AbortSignal[] = []
    const { runner, receive, outcomes } = open({
      inbox,
      on: {
        [name]: ({ id }, signal) => {
          if (id === '1') return undefined
          signals.push(signal)
          return sleep(500, signal)
        },
      },
    })
    runner.start()
    await receive(...['1', '2', '3'].map((id) => inLane('a', id)))
    expect(outcomes()).toEqual([
      ['1', 'lost'],
      ['2', 'lost'],
    ])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    await runner.stop()
  })

  it('lets other lanes have their turn after a second', async () => {
    const handled: string[] = []
    const { runner, store } = open({
      concurrency: 1,
      on: {
        [name]: async ({ id }) => {
          await sleep(600)
          handled.push(id)
        },
      },
    })
    await store(...['1', '2', '3'].map((id) => inLane('a', `a${id}`)))
    await pass(1)
    await store(inLane('b', 'b1'))
    runner.start()
    await pass(3000)
    expect(handled).toEqual(['a1', 'a2', 'b1', 'a3'])
    await runner.stop()
  })
})

describe('leases', () => {
  it('are renewed while a handler runs, and end with it', async () => {
    const inbox = createMemoryInbox()
    const renew = vi.spyOn(inbox, 'renew')
    const started = vi.fn(() => sleep(29_000))
    const how = { inbox, leaseMs: 5000, on: { [name]: { handler: started, timeoutMs: 30_000 } } }
    const [one, other] = [open(how), open(how)]
    one.runner.start()
    other.runner.start()
    await one.receive('alone', inLane('a', 'in a lane'))
    await pass(29_500)
    expect(one.outcomes().sort()).toEqual([
      ['alone', 'done'],
      ['in a lane', 'done'],
    ])
    expect(started).toHaveBeenCalledTimes(2)
    expect(renew.mock.calls.length).toBeLessThan(20)
    await Promise.all([one.runner.stop(), other.runner.stop()])
  })

  it('abort the handler when they are lost, and nothing is settled', async () => {
    const inbox = createMemoryInbox()
    const signals: AbortSignal[] = []
    const { runner, receive, outcomes } = open({
      ...{ inbox, leaseMs: 3000 },
      on: {
        [name]: async (_, signal) => {
          signals.push(signal)
          await sleep(10_000)
        },
      },
    })
    const settle = vi.spyOn(inbox, 'settle')
    runner.start()
    await receive('1')
    vi.spyOn(inbox, 'renew').mockResolvedValueOnce([false])
    vi.spyOn(inbox, 'claim').mockResolvedValue([])
    await pass(11_000)
    expect(signals.map(({ aborted, reason }) => [aborted, (reason as Error).name])).toEqual([
      [true, 'LeaseLostError'],
    ])
    expect(outcomes()).toEqual([['1', 'lost']])
    expect(settle).not.toHaveBeenCalled()
    await runner.stop()
  })

  it('begin no event after the process was suspended for longer', async () => {
    const inbox = createMemoryInbox()
    let suspendedMs = 0
    const handled: string[] = []
    const { runner, receive, outcomes } = open({
      inbox,
      ...{ leaseMs: 15_000, concurrency: 1, monotonicNow: () => suspendedMs },
      on: {
        [name]: ({ id }) => {
          handled.push(id)
          suspendedMs = 20_000
        },
      },
    })
    vi.spyOn(inbox, 'claim').mockResolvedValue([])
    vi.spyOn(inbox, 'claimLanes').mockResolvedValue([])
    runner.start()
    await receive(inLane('a', '1'), inLane('a', '2'), '3')
    expect(handled).toEqual(['1'])
    expect(outcomes()).toEqual([
      ['3', 'lost'],
      ['1', 'done'],
    ])
    await end(runner)
  })

  it('settles a finished handler after an outage of the inbox', async () => {
    const inbox = createMemoryInbox()
    const handler = vi.fn()
    const onError = vi.fn()
    const { runner, receive, outcomes } = open({ inbox, onError, on: { [name]: handler } })
    vi.spyOn(inbox, 'settle').mockRejectedValueOnce(new Error('away'))
    runner.start()
    await receive('1')
    await pass(1000)
    expect(outcomes()).toEqual([['1', 'done']])
    expect([handler.mock.calls.length, onError.mock.calls.length]).toEqual([1, 1])
    await runner.stop()
  })
})

describe('the limits of a handler', () => {
  it('time out a handler that ignores its signal, and what it does later has no effect', async () => {
    const gate = Promise.withResolvers<undefined>()
    const onHandlerError = vi.fn()
    const { runner, receive, attempts, inbox } = open({
      ...{ maxAttempts: 1, onHandlerError },
      on: { [name]: { handler: () => gate.promise, timeoutMs: 20_000 } },
    })
    runner.start()
    const { id } = await receive('1')
    await pass(19_998)
    expect(attempts).toEqual([])
    await pass(2)
    expect(attempts).toMatchObject([{ outcome: { status: 'dead', error: 'TimeoutError' } }])
    expect(onHandlerError.mock.calls).toMatchObject([[{ name: 'TimeoutError' }, { id: '1' }]])
    gate.resolve(undefined)
    await pass(10)
    expect((await inbox.get(id))?.events).toMatchObject([{ status: 'dead' }])
    await runner.stop()
  })

  it('keep a busy handler from the slots of others', async () => {
    const handled: string[] = []
    const { runner, store, outcomes } = open({
      concurrency: 4,
      on: {
        'a/is.slow': { handler: (_, signal) => sleep(20_000, signal), concurrency: 1 },
        'a/is.quick': ({ id }) => handled.push(id),
      },
    })
    const slow = Array.from({ length: 40 }, (_, index) => ({
      event: createEvent(`slow:${index}`, 0, { name: 'a/is.slow' }),
    }))
    await store(...slow)
    await pass(1)
    await store({ event: createEvent('quick', 0, { name: 'a/is.quick' }) })
    runner.start()
    await pass(1000)
    expect(handled).toEqual(['quick'])
    await pass(100_000)
    expect(outcomes().filter(([, status]) => status === 'done').length).toBeGreaterThan(4)
    await end(runner)
  })

  it.each([true, false])('keep a quick handler at work all the time, with lanes: %s', async (hasLanes) => {
    const ends: number[] = []
    const { runner, store } = open({
      on: {
        [name]: { handler: () => sleep(10).then(() => ends.push(Date.now())), concurrency: 1 },
      },
    })
    await store(
      ...Array.from({ length: 500 }, (_, index) =>
        hasLanes ? inLane(`lane ${index}`, `${index}`) : `${index}`,
      ),
    )
    const startedAt = Date.now()
    runner.start()
    await pass(60_000)
    expect(ends).toHaveLength(500)
    expect(ends.at(-1)! - startedAt).toBeLessThan(7000)
    await runner.stop()
  })

  it('decide when an event is a dead letter', async () => {
    const { runner, receive, attempts } = open({
      ...{ pollMs: 10, backoff: { baseMs: 1 } },
      on: {
        'a/ends.soon': { handler: () => Promise.reject(new Error('no')), maxAttempts: 2 },
        'a/ends.late': { handler: () => Promise.reject(new Error('no')), maxAttempts: 4 },
      },
    })
    runner.start()
    await receive(...['soon', 'late'].map((id) => ({ event: createEvent(id, 0, { name: `a/ends.${id}` }) })))
    await pass(1000)
    const dead = attempts.filter(({ outcome }) => outcome.status === 'dead')
    expect(dead.map((attempt) => [attempt.event.id, attempt.attempts])).toEqual([
      ['soon', 2],
      ['late', 4],
    ])
    await runner.stop()
  })

  it.each([
    [{ timeoutMs: 0 }, 'timeoutMs of a/b.c must be an integer from 1 to 2147483647'],
    [{ concurrency: 0 }, 'concurrency of a/b.c must be an integer of at least 1'],
    [{ concurrency: 51 }, 'concurrency of a/b.c must be at most 50, the concurrency of all handlers'],
    [{ maxAttempts: 0 }, 'maxAttempts of a/b.c must be an integer of at least 1'],
    [{ backoff: { baseMs: -1 } }, 'backoff.baseMs must be an integer of at least 0'],
    [{ timeoutMs: 90_000_000 }, 'timeoutMs of a/b.c must be less than backoff.giveUpAfterMs'],
    [{ handler: 'log' as never }, 'The handler of a/b.c must be a function'],
  ])('are refused when they cannot work: %j', (limits, message) => {
    const create = () => open({ on: { 'a/b.c': { handler: () => undefined, ...limits } } })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
  })

  it('are less than a lease that cannot be renewed', () => {
    const whole = createMemoryInbox()
    const inbox = { claim: whole.claim.bind(whole), settle: whole.settle.bind(whole) }
    const create = (timeoutMs: number) => () =>
      createRunner({ inbox, on: { 'a/b.c': { handler: () => undefined, timeoutMs } } })
    expect(create(15_000)).toThrow('timeoutMs of a/b.c must be less than leaseMs')
    expect(create(14_999)).not.toThrow()
  })
})

describe('stop', () => {
  it('waits for handlers, then aborts them and gives their events back', async () => {
    const inbox = createMemoryInbox()
    const signals: AbortSignal[] = []
    const handler = (_: WebhookEvent, signal: AbortSignal) => {
      signals.push(signal)
      return never()
    }
    const { runner, receive, outcomes } = open({ inbox, on: { [name]: handler } })
    runner.start()
    await receive('1', inLane('a', '2'), inLane('a', '3'))
    const stopped = runner.stop(500)
    await pass(499)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false])
    await pass(5)
    await stopped
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(outcomes()).toEqual([])
    const claimed = await inbox.claim('publish', { limit: 10, leaseMs: 1000 })
    const lanes = await inbox.claimLanes!({ limit: 10, events: 10, leaseMs: 1000 })
    expect([...claimed, ...lanes[0]!.works].map(({ event, attempts }) => [event.id, attempts])).toEqual([
      ['1', 0],
      ['2', 0],
      ['3', 0],
    ])
  })

  it('finishes running handlers and begins no others', async () => {
    const { runner, receive, outcomes } = open({ on: { [name]: () => sleep(200) } })
    runner.start()
    await receive(inLane('a', '1'), inLane('a', '2'))
    const stopped = runner.stop()
    await pass(250)
    await stopped
    expect(outcomes()).toEqual([['1', 'done']])
  })

  it('refuses a grace period that is not a number', async () => {
    await expect(open({}).runner.stop(NaN)).rejects.toThrow('graceMs must be a number')
  })
})

describe('an error of a handler', () => {
  it('reaches onHandlerError, and its text is stored only if it is for operators', async () => {
    const errors = [
      new TypeError('private'),
      new HandlerError('The plan\u0007 of acme\nis missing', { retryable: false }),
      new Error('private', { cause: new HandlerError('Try later', { retryAfterMs: 120_000 }) }),
      Object.assign(new Error('private'), { retryAfterMs: 60_000 }),
    ]
    const onHandlerError = vi.fn()
    const { runner, receive, attempts } = open({
      onHandlerError,
      on: { [name]: ({ id }) => Promise.reject(errors[Number(id)]!) },
    })
    runner.start()
    await receive('0', '1', '2', '3')
    expect(attempts.map(({ outcome }) => outcome)).toEqual([
      { status: 'retry', afterMs: 500, error: 'TypeError', targets: [name] },
      { status: 'dead', error: 'The plan  of acme is missing' },
      { status: 'retry', afterMs: 120_000, error: 'Try later' },
      { status: 'retry', afterMs: 60_000, error: 'Error' },
    ])
    expect(onHandlerError.mock.calls.map(([error]) => error as Error)).toEqual(errors)
    await runner.stop()
  })
})

describe('a transactional handler', () => {
  const transactional = (run: TransactionalHandler<WebhookEvent>['runInTransaction']) =>
    Object.assign(() => Promise.reject(new Error('called as a function')), { runInTransaction: run })

  it('settles its event itself, and the lane goes on and ends', async () => {
    const inbox = createMemoryInbox()
    const settleLanes = vi.spyOn(inbox, 'settleLanes')
    const leases: unknown[] = []
    const handler = transactional(async (event, _, held) => {
      leases.push(held)
      const settlement = { id: event.id, lease: held.lease, outcome: { status: 'done' } } as const
      const [result] =
        'lane' in held
          ? await inbox.settleLanes!([
              { name: held.lane, lease: held.lease, settlements: [settlement], releases: false },
            ])
          : (await inbox.settle('publish', [settlement])).map((isSettled) => ({ isSettled }))
      return result!.isSettled
    })
    const { runner, receive, outcomes } = open({ inbox, on: { [name]: handler } })
    runner.start()
    await receive('1', inLane('a', '2'), inLane('a', '3'))
    expect(outcomes().sort()).toEqual(['1', '2', '3'].map((id) => [id, 'done']))
    const lease: unknown = expect.any(String)
    expect(leases).toEqual(
      expect.arrayContaining([
        { id: '1', lease },
        { lane: 'a', id: '2', lease },
      ]),
    )
    expect(settleLanes.mock.calls.at(-1)).toMatchObject([[{ name: 'a', settlements: [], releases: true }]])
    await runner.stop()
  })

  it('begins after the settlement of the event before it, which a crash would repeat', async () => {
    const inbox = createMemoryInbox()
    const committed: string[] = []
    const { runner, receive } = open({
      ...{ inbox, onError: vi.fn() },
      on: {
        [name]: () => undefined,
        'doorbell/bell.removed': transactional(async ({ id }, _, { lease }) => {
          committed.push(id)
          const settlements = [{ id, lease, outcome: { status: 'done' } }] as const
          await inbox.settleLanes!([{ name: 'a', lease, settlements, releases: false }])
          return true
        }),
      },
    })
    runner.start()
    const removed = inLane('a', '2')
    const settle = vi.spyOn(inbox, 'settleLanes').mockRejectedValueOnce(new Error('unavailable'))
    await receive(inLane('a', '1'), {
      ...removed,
      event: { ...removed.event, name: 'doorbell/bell.removed' },
    })
    await pass(400)
    expect(settle).toHaveBeenCalledTimes(1)
    expect(committed).toEqual([])
    await pass(200)
    expect(committed).toEqual(['2'])
    await end(runner)
  })

  it('has made no attempt when it postpones its event', async () => {
    const onHandlerError = vi.fn()
    let calls = 0
    const handler = transactional(() => {
      const isFirst = ++calls === 1
      return isFirst
        ? Promise.reject(Object.assign(new Error('busy'), { [postponedMs]: 5000 }))
        : Promise.resolve(true)
    })
    const { runner, receive, attempts } = open({ maxAttempts: 1, onHandlerError, on: { [name]: handler } })
    runner.start()
    await receive('1')
    await pass(4900)
    expect([calls, attempts, onHandlerError.mock.calls]).toEqual([1, [], []])
    await pass(1100)
    expect(attempts).toMatchObject([{ attempts: 1, outcome: { status: 'done' } }])
    await end(runner)
  })

  it('settles nothing when its lease was not valid, and is retried when it rejects', async () => {
    const inbox = createMemoryInbox()
    const settle = vi.spyOn(inbox, 'settle')
    const handler = transactional(({ id }) =>
      id === 'late' ? Promise.resolve(false) : Promise.reject(new TypeError('private')),
    )
    const { runner, receive, attempts } = open({ inbox, on: { [name]: handler } })
    runner.start()
    await receive('late', 'broken')
    expect(attempts.map(({ event, outcome }) => [event.id, outcome])).toEqual([
      ['late', { status: 'lost' }],
      ['broken', { status: 'retry', afterMs: 500, error: 'TypeError', targets: [name] }],
    ])
    expect(settle.mock.calls.flatMap(([, settlements]) => settlements.map(({ id }) => id))).toEqual([
      'broken',
    ])
    await end(runner)
  })
})

describe('events without a handler', () => {
  it.each([
    ['ignore', 'done'],
    ['refuse', 'dead'],
  ] as const)('%s', async (unhandled, status) => {
    const { runner, receive, outcomes } = open({ unhandled, on: { 'a/b.c': undefined } })
    runner.start()
    await receive('1')
    expect(outcomes()).toEqual([['1', status]])
    await runner.stop()
  })
})

describe('notifications', () => {
  it('are sent after the handler, with and without a lane', async () => {
    const notify = vi.fn(() => Promise.resolve())
    const notifications = { notifier: { notify }, providers: [doorbell] }
    const { runner, receive } = open({ notifications, on: {} })
    runner.start()
    await receive(
      { ...inLane('a', 'in a lane'), notify: true },
      { event: createEvent('alone', 0, { name }), notify: true },
    )
    await pass(10)
    const titles = notify.mock.calls.map(([message]: unknown[]) => (message as Message).title)
    expect(titles.sort()).toEqual(['alone', 'in a lane'])
    await runner.stop()
  })
})

describe('capacity', () => {
  it('is used as soon as a handler ends', async () => {
    const { runner, receive, store, outcomes } = open({
      ...{ concurrency: 2, pollMs: 600_000 },
      on: { [name]: () => sleep(100) },
    })
    runner.start()
    await receive('1', '2')
    await receive('3')
    await store('4')
    await receive('5')
    await pass(320)
    expect(outcomes()).toHaveLength(5)
    await runner.stop()
  })

  it('returns events that cannot start within a second', async () => {
    const inbox = createMemoryInbox()
    const on = { [name]: (_: WebhookEvent, signal: AbortSignal) => sleep(20_000, signal) }
    const one = open({ inbox, on, concurrency: 1 })
    one.runner.start()
    await one.receive('1', '2', '3')
    const handled: string[] = []
    const other = open({ inbox, on: { [name]: ({ id }) => handled.push(id) } })
    other.runner.start()
    await pass(3000)
    expect(handled.sort()).toEqual(['2', '3'])
    await end(one.runner)
    await end(other.runner)
  })
})
