import { setTimeout as sleep } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { maxTimerMs, runWithTimeout, untilAborted, waitAtMost, withDeadline } from './deadline.ts'
import { createKeyedMutex } from './keyed-mutex.ts'
import { createOperationTracker } from './operation-tracker.ts'
import { checkFunctions, checkIntegers, integerOption, timerOption } from './options.ts'
import { callHook, ignoreRejection } from './promises.ts'
import { createSemaphore } from './semaphore.ts'
import { createWakeUps } from './wake-ups.ts'

const never = new Promise<never>(() => undefined)

describe('callHook', () => {
  it('ignores a hook that throws or rejects', async () => {
    const seen: unknown[] = []
    callHook((one: number) => {
      seen.push(one)
      throw new Error('thrown')
    }, 1)
    callHook(() => Promise.reject(new Error('rejected')))
    callHook(undefined)
    await sleep(1)
    expect(seen).toEqual([1])
  })

  it('reports whether a value is a promise', () => {
    expect([ignoreRejection(1), ignoreRejection(Promise.reject(new Error('ignored')))]).toEqual([false, true])
  })
})

describe('deadlines', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each(['value', undefined, null])('returns the plain value %j at once', (value) => {
    expect(withDeadline(1, value)).toBe(value)
  })

  it.each([
    [-1, 0],
    [50, 50],
    [Infinity, maxTimerMs],
  ])('waits at most %d ms for a value, and leaves no timer', async (milliseconds, waitedMs) => {
    vi.useFakeTimers()
    const onEnd = vi.fn()
    const waiting = waitAtMost(milliseconds, never).then(onEnd)
    if (waitedMs > 0) await vi.advanceTimersByTimeAsync(waitedMs - 1)
    expect(onEnd).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await waiting
    await waitAtMost(milliseconds, 'value')
    await expect(waitAtMost(milliseconds, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([2 ** 31, Infinity])('waits for %d ms as long as a timer can', async (milliseconds) => {
    vi.useFakeTimers()
    const onTimeout = vi.fn()
    const waiting = runWithTimeout(milliseconds, () => never).catch(onTimeout)
    await vi.advanceTimersByTimeAsync(maxTimerMs - 1)
    expect(onTimeout).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await waiting
    expect(onTimeout).toHaveBeenCalledOnce()
  })

  it.each([
    ['a promise of another realm', runInNewContext('new Promise(() => {})') as Promise<never>],
    ['a thenable', { then: () => undefined } as unknown as Promise<never>],
  ])('limits the wait for %s', async (_, value) => {
    await expect(withDeadline(1, value)).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('clears the timer of a settled promise', async () => {
    vi.useFakeTimers()
    expect(await withDeadline(50, Promise.resolve('value'))).toBe('value')
    await expect(withDeadline(50, Promise.reject(new RangeError('failed')))).rejects.toThrow(RangeError)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('rejects a late promise with a TimeoutError or the mapped error', async () => {
    await expect(withDeadline(1, never)).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(withDeadline(1, never, () => new Error('mapped'))).rejects.toThrow('mapped')
  })

  it('aborts the signal of a step at the deadline', async () => {
    let signal: AbortSignal | undefined
    const step = (given: AbortSignal) => {
      signal = given
      return never
    }
    await expect(runWithTimeout(1, step)).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(signal?.aborted).toBe(true)
  })

  it('rejects with the reason of an aborted signal', async () => {
    const controller = new AbortController()
    const waiting = untilAborted(never, controller.signal)
    controller.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
    await expect(untilAborted(never, controller.signal)).rejects.toThrow('stopped')
    await expect(untilAborted(Promise.resolve(1), new AbortController().signal)).resolves.toBe(1)
  })
})

describe('options', () => {
  it.each([0, 1, Number.MAX_SAFE_INTEGER])('accepts the integer %d', (value) => {
    expect(integerOption('keys', value, 0)).toBe(value)
  })

  it.each([NaN, Infinity, -Infinity, 1.5, 2 ** 53, '3', null, undefined, -1])('rejects %j', (value) => {
    expect(() => integerOption('keys', value as number, 0)).toThrow(
      new TypeError('keys must be an integer of at least 0'),
    )
  })

  it('accepts the delays of a timer', () => {
    expect([timerOption('pauseMs', 0, 0), timerOption('everyMs', maxTimerMs)]).toEqual([0, maxTimerMs])
  })

  it('names the option and its range', () => {
    expect(() => integerOption('limit', 61, 1, 60)).toThrow('limit must be an integer from 1 to 60')
    expect(() => timerOption('timeoutMs', 2 ** 31)).toThrow(
      'timeoutMs must be an integer from 1 to 2147483647',
    )
    expect(() => {
      checkIntegers({ absent: undefined, page: -1 }, 0)
    }).toThrow('page must be an integer of at least 0')
  })

  it('names the missing function of a port', () => {
    expect(() => {
      checkFunctions('inbox', { claim: () => undefined }, 'claim', 'settle')
    }).toThrow('inbox.settle must be a function')
  })
})

describe('createOperationTracker', () => {
  it('waits for running operations and rejects later ones', async () => {
    const tracker = createOperationTracker(() => new Error('closed'))
    const { promise, resolve } = Promise.withResolvers<string>()
    const running = tracker.run(() => promise)
    let closed = false
    const closing = tracker.close().then(() => (closed = true))
    await expect(tracker.run(() => promise)).rejects.toThrow('closed')
    expect([tracker.closing.aborted, closed]).toEqual([true, false])
    resolve('done')
    await closing
    await expect(running).resolves.toBe('done')
  })
})

describe('createSemaphore', () => {
  const onOverload = () => new Error('overload')

  it('bounds running and waiting tasks and keeps their order', async () => {
    const semaphore = createSemaphore({ limit: 2, maxWaiting: 2, waitTimeoutMs: 60_000, onOverload })
    const started: number[] = []
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>())
    const tasks = gates.map(({ promise }, index) =>
      semaphore.run(async () => {
        started.push(index)
        await promise
        return index
      }),
    )
    await expect(semaphore.run(() => never)).rejects.toThrow('overload')
    expect(started).toEqual([0, 1])
    gates[1]!.resolve(undefined)
    await tasks[1]
    expect(started).toEqual([0, 1, 2])
    for (const gate of gates) gate.resolve(undefined)
    expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3])
    expect(await semaphore.run(() => Promise.resolve(4))).toBe(4)
  })

  it('runs the next task after a failure', async () => {
    const semaphore = createSemaphore({ limit: 1, maxWaiting: 1, onOverload })
    const failing = semaphore.run(() => Promise.reject(new Error('no')))
    const next = semaphore.run(() => Promise.resolve('next'))
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('next')
  })

  it('never runs a task that waited too long, and frees its place in the queue', async () => {
    const semaphore = createSemaphore({ limit: 1, maxWaiting: 1, waitTimeoutMs: 1, onOverload })
    const started: number[] = []
    void semaphore.run(() => never)
    for (const task of [1, 2])
      await expect(semaphore.run(() => Promise.resolve(started.push(task)))).rejects.toThrow('overload')
    expect(started).toEqual([])
  })
})

describe('createKeyedMutex', () => {
  it('serializes tasks of one key only', async () => {
    const mutex = createKeyedMutex(1000, () => new Error('late'))
    const gate = Promise.withResolvers<undefined>()
    const order: string[] = []
    const first = mutex('a', () => gate.promise.then(() => order.push('first')))
    const second = mutex('a', () => Promise.resolve(order.push('second')))
    await mutex('b', () => Promise.resolve(order.push('other')))
    gate.resolve(undefined)
    await Promise.all([first, second])
    expect(order).toEqual(['other', 'first', 'second'])
  })

  it('rejects a task that waits too long and keeps the order of the others', async () => {
    const mutex = createKeyedMutex(20, () => new Error('late'))
    const gate = Promise.withResolvers<undefined>()
    const first = mutex('a', () => gate.promise)
    await expect(mutex('a', () => Promise.resolve())).rejects.toThrow('late')
    const third = mutex('a', () => Promise.resolve('third'))
    gate.resolve(undefined)
    await first
    await expect(third).resolves.toBe('third')
  })
})

describe('createWakeUps', () => {
  it('ends pauses at a wake and at an abort', async () => {
    const wakeUps = createWakeUps()
    const controller = new AbortController()
    const pauses = [
      wakeUps.pause(60_000, controller.signal),
      wakeUps.pause(60_000, new AbortController().signal),
    ]
    controller.abort()
    await pauses[0]
    wakeUps.wake()
    await pauses[1]
    expect(wakeUps.count).toBe(1)
    await wakeUps.pause(1, new AbortController().signal)
  })
})
