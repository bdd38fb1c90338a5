import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { WebhookEvent } from '../ports/event.ts'
import { createEvent } from '../testing/events.ts'
import { postponedMs } from '@sallyport/internal/postponed'
import { createConsumer, type ConsumerOptions } from './consumer.ts'
import { decodeEvent } from './decode-event.ts'
import type { ConsumerSource, ReceivedMessage } from './source.ts'

const event = (id: string) => createEvent(id, 0, { subject: id })

/** A source with these events, of which `settled` lists the outcomes. */
function createSource(events: readonly WebhookEvent[], changes: Partial<ReceivedMessage> = {}) {
  const settled: string[] = []
  const limits: number[] = []
  const rest = events.map((one): ReceivedMessage => {
    const settle = (outcome: string) => Promise.resolve(settled.push(`${outcome} ${one.id}`))
    return {
      decode: () => one,
      deliveries: 0,
      ack: () => settle('ack'),
      deadLetter: (reason) => settle(`dead (${reason})`),
      release: () => settle('release'),
      ...changes,
    }
  })
  const source: ConsumerSource = {
    open: () => Promise.resolve(),
    async receive(limit) {
      limits.push(limit)
      if (rest.length === 0) await sleep(5)
      return rest.splice(0, limit)
    },
    close: () => Promise.resolve(),
  }
  return { source, settled, limits, rest }
}

async function consume(
  source: ConsumerSource,
  handler: (event: WebhookEvent, signal: AbortSignal) => unknown,
  options: Partial<ConsumerOptions> = {},
) {
  const handlers = { 'doorbell/bell.rung': handler }
  const consumer = createConsumer(source, { name: 'one', handlers, backoff: { baseMs: 0 }, ...options })
  await consumer.start()
  return consumer
}

describe('createConsumer', () => {
  it('receives at most maxInFlight messages that are not settled', async () => {
    const { source, rest, limits, settled } = createSource(['a', 'b', 'c', 'd', 'e'].map(event))
    const finish = Promise.withResolvers<undefined>()
    const consumer = await consume(source, () => finish.promise, { concurrency: 2, maxInFlight: 3 })
    await sleep(30)
    expect([rest.length, limits]).toEqual([2, [3]])
    finish.resolve(undefined)
    await vi.waitFor(() => {
      expect(settled).toHaveLength(5)
    })
    await consumer.stop()
  })

  it('receives at most maxWaiting further messages that wait for their subject', async () => {
    const same = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => createEvent(id, 0, { subject: 'front' }))
    const { source, rest, settled } = createSource(same)
    const finish = Promise.withResolvers<undefined>()
    const options = { concurrency: 1, maxInFlight: 2, maxWaiting: 3 }
    const consumer = await consume(source, () => finish.promise, options)
    await sleep(30)
    expect(rest).toHaveLength(2)
    finish.resolve(undefined)
    await vi.waitFor(() => {
      expect(settled).toHaveLength(7)
    })
    await consumer.stop()
  })

  it('makes an event a dead letter without an attempt if it was delivered too often', async () => {
    const { source, settled } = createSource([event('a')], { deliveries: 3 })
    const handler = vi.fn()
    const consumer = await consume(source, handler, { maxDeliveries: 3 })
    await vi.waitFor(() => {
      expect(settled).toEqual(['dead (No result after 3 deliveries) a'])
    })
    expect(handler).not.toHaveBeenCalled()
    await consumer.stop()
  })

  it('attempts an event that was delivered more often than attempts', async () => {
    const { source, settled } = createSource([event('a')], { deliveries: 3 })
    const consumer = await consume(source, () => undefined, { attempts: 1 })
    await vi.waitFor(() => {
      expect(settled).toEqual(['ack a'])
    })
    await consumer.stop()
  })

  it('acknowledges an event without a handler', async () => {
    const { source, settled } = createSource([{ ...event('a'), name: 'doorbell/other' }])
    const consumer = await consume(source, () => undefined)
    await vi.waitFor(() => {
      expect(settled).toEqual(['ack a'])
    })
    await consumer.stop()
  })

  it('passes every event to a handler without a name', async () => {
    const { source, settled } = createSource([event('a'), { ...event('b'), name: 'doorbell/other' }])
    const names: string[] = []
    const consumer = await consume(source, () => undefined, { handlers: (one) => names.push(one.name) })
    await vi.waitFor(() => {
      expect(settled).toEqual(['ack a', 'ack b'])
    })
    expect(names).toEqual(['doorbell/bell.rung', 'doorbell/other'])
    await consumer.stop()
  })

  it('waits at least as long as the error of a handler asks', async () => {
    const { source, settled } = createSource([event('a')])
    const times: number[] = []
    const fail = () => {
      times.push(performance.now())
      if (times.length === 1) throw Object.assign(new Error('busy'), { retryAfterMs: 100 })
    }
    const consumer = await consume(source, fail)
    await vi.waitFor(() => {
      expect(settled).toEqual(['ack a'])
    })
    expect(times[1]! - times[0]!).toBeGreaterThan(90)
    await consumer.stop()
  })

  it('counts no attempt when the handler pauses, and waits for as long as the pause', async () => {
    const { source, settled } = createSource([event('a')])
    let runs = 0
    const onError = vi.fn()
    const pausing = () => {
      if (++runs < 4) throw Object.assign(new Error('pausing'), { [postponedMs]: 5, retryAfterMs: 5 })
      throw new RangeError('secret')
    }
    const options = { attempts: 2, onError, backoff: { baseMs: 0 } }
    const consumer = await consume(source, pausing, options)
    await vi.waitFor(() => {
      expect(settled).toEqual(['dead (RangeError) a'])
    })
    expect([runs, onError.mock.calls.length]).toEqual([5, 2])
    await consumer.stop()
  })

  it('loads the data of an event with a reference, and fails the attempt if it cannot', async () => {
    const { source, settled } = createSource([{ ...event('a'), data: undefined, dataref: '/data' }])
    const loadData = vi.fn().mockRejectedValueOnce(new Error('not now')).mockResolvedValue({ door: 'front' })
    const data: unknown[] = []
    const consumer = await consume(source, (one) => data.push(one.data), { loadData })
    await vi.waitFor(() => {
      expect(settled).toEqual(['ack a'])
    })
    expect(data).toEqual([{ door: 'front' }])
    await consumer.stop()
  })

  it('fails an attempt after the timeout and aborts its signal', async () => {
    const { source, settled } = createSource([event('a')])
    let signal: AbortSignal | undefined
    const never = (_: WebhookEvent, given: AbortSignal) => {
      signal = given
      return new Promise<void>(() => undefined)
    }
    const consumer = await consume(source, never, { timeoutMs: 10, attempts: 1 })
    await vi.waitFor(() => {
      expect(settled).toEqual([expect.stringMatching(/^dead \(TimeoutError/)])
    })
    expect(signal?.aborted).toBe(true)
    await consumer.stop()
  })

  it('stores a dead letter again until the bus has it', async () => {
    const deadLetter = vi.fn().mockRejectedValueOnce(new Error('unavailable')).mockResolvedValue(undefined)
    const { source } = createSource([event('a')], { deadLetter })
    const onDeadLetter = vi.fn()
    const fail = () => Promise.reject(new RangeError('secret'))
    const consumer = await consume(source, fail, { attempts: 1, onDeadLetter })
    await vi.waitFor(() => {
      expect(onDeadLetter).toHaveBeenCalledWith('RangeError', event('a'))
    })
    expect(deadLetter).toHaveBeenCalledTimes(2)
    await consumer.stop()
  })

  it('defers a failed event and the later events of its lane, and counts its earlier failures', async () => {
    const deferred: unknown[] = []
    const events = [1, 2, 3].map((number) => createEvent(String(number), 0, { subject: 'front' }))
    const { source, settled, rest } = createSource(events)
    const [first, ...others] = rest.splice(0)
    let isBehind = false
    const defer: ReceivedMessage['defer'] = (failure) => {
      isBehind = true
      return Promise.resolve(deferred.push(failure))
    }
    rest.push({ ...first!, failures: 2, defer })
    rest.push(...others.map((message) => ({ ...message, defer, isBehind: () => isBehind })))
    const handler = vi.fn(() => Promise.reject(new RangeError('secret')))
    const consumer = await consume(source, handler, { attempts: 5 })
    await vi.waitFor(() => {
      expect(deferred).toEqual([{ failures: 3, error: 'RangeError', afterMs: 0 }, undefined, undefined])
    })
    expect(handler).toHaveBeenCalledTimes(1)
    expect(settled).toEqual([])
    await consumer.stop()
  })

  it('makes a deferred event a dead letter after its last attempt', async () => {
    const defer = vi.fn()
    const { source, settled } = createSource([event('a')], { failures: 4, defer })
    const consumer = await consume(source, () => Promise.reject(new RangeError('secret')), { attempts: 5 })
    await vi.waitFor(() => {
      expect(settled).toEqual(['dead (RangeError) a'])
    })
    expect(defer).not.toHaveBeenCalled()
    await consumer.stop()
  })

  describe('with a message that another process has', () => {
    it('calls no handler again, settles nothing, and makes room for other messages', async () => {
      let isLost = false
      const same = ['a', 'b', 'c'].map((id) => createEvent(id, 0, { subject: 'front' }))
      const { source, settled, rest } = createSource(same, { isLost: () => isLost })
      const attempted: string[] = []
      const options = { concurrency: 1, maxInFlight: 2, maxWaiting: 0, backoff: { baseMs: 60_000 } }
      const handler = ({ id }: WebhookEvent) => {
        attempted.push(id)
        isLost = true
        throw new Error('not yet')
      }
      const consumer = await consume(source, handler, options)
      await vi.waitFor(() => {
        expect(rest).toEqual([])
      })
      await sleep(20)
      expect([attempted, settled]).toEqual([['a'], []])
      await consumer.stop()
    })

    it('interrupts the pause before a retry', async () => {
      let isLost = false
      const same = ['a', 'b'].map((id) => createEvent(id, 0, { subject: 'front' }))
      const { source, rest } = createSource(same, { isLost: () => isLost })
      const fail = () => Promise.reject(new Error('not yet'))
      const options = { concurrency: 1, maxInFlight: 1, backoff: { baseMs: 60_000 } }
      const consumer = await consume(source, fail, options)
      await sleep(20)
      isLost = true
      await vi.waitFor(
        () => {
          expect(rest).toEqual([])
        },
        { timeout: 3000 },
      )
      await consumer.stop()
    })

    it('stores no dead letter', async () => {
      let isLost = false
      const deadLetter = vi.fn(() => {
        isLost = true
        return Promise.reject(new Error('lost'))
      })
      const { source, settled, rest } = createSource([event('a'), event('b')], {
        deadLetter,
        isLost: () => isLost,
      })
      const fail = () => Promise.reject(new RangeError('secret'))
      const consumer = await consume(source, fail, { attempts: 1, concurrency: 1, maxInFlight: 1 })
      await vi.waitFor(() => {
        expect(rest).toEqual([])
      })
      await sleep(20)
      expect(deadLetter).toHaveBeenCalledTimes(1)
      expect(settled).toEqual([])
      await consumer.stop()
    })

    it('ignores the result of its running handler', async () => {
      let isLost = false
      const { source, settled } = createSource([event('a')], { isLost: () => isLost })
      const finish = Promise.withResolvers<undefined>()
      const onError = vi.fn()
      const consumer = await consume(source, () => finish.promise, { onError })
      isLost = true
      finish.resolve(undefined)
      await consumer.stop()
      expect([settled, onError.mock.calls]).toEqual([[], []])
    })
  })

  it('aborts the signals of handlers that are still running at the end of stopTimeoutMs', async () => {
    const { source } = createSource([event('a')])
    const begun = Promise.withResolvers<AbortSignal>()
    const handler = (_: WebhookEvent, signal: AbortSignal) => {
      begun.resolve(signal)
      return new Promise<void>(() => undefined)
    }
    const consumer = await consume(source, handler, { stopTimeoutMs: 20 })
    const signal = await begun.promise
    await consumer.stop()
    expect(signal.aborted).toBe(true)
  })

  it.each([
    { name: 'a.b' },
    { concurrency: 0 },
    { maxInFlight: 9 },
    { attempts: 0 },
    { maxDeliveries: 0 },
    { timeoutMs: 0 },
  ])('rejects %j', (changes) => {
    const { source } = createSource([])
    expect(() => createConsumer(source, { name: 'one', handlers: {}, ...changes })).toThrow(TypeError)
  })
})

describe('decodeEvent', () => {
  it('reads a CloudEvent', () => {
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
    const attributes = { specversion: '1.0', id: 'doorbell:1', type: 'doorbell/bell.rung', subject: 'front' }
    const time = '2026-01-01T00:00:00.000Z'
    const cloudEvent = { ...attributes, source: '/doorbell/end%2Fpoint', time, data: [1], manual: true }
    expect(decodeEvent({ ...cloudEvent, ...trace, replayof: 'doorbell:0' })).toEqual({
      ...{ id: 'doorbell:1', name: 'doorbell/bell.rung', subject: 'front', ts: Date.UTC(2026, 0), data: [1] },
      source: {
        provider: 'doorbell',
        endpoint: 'end/point',
        deliveryId: '',
        receivedAt: Date.UTC(2026, 0),
        manual: true,
        replayOf: 'doorbell:0',
      },
      trace,
    })
  })

  it.each([null, 'text', {}, { id: 'a', name: 'b', subject: 'c' }, { specversion: '1.0', id: '' }])(
    'rejects %j',
    (value) => {
      expect(() => decodeEvent(value)).toThrow(TypeError)
    },
  )
})
