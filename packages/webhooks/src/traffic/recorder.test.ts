import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openGateway } from '../../test/doorbell.ts'
import type { Observation } from '../index.ts'
import type { TrafficCount } from './index.ts'
import { createTrafficRecorder, type TrafficRecorderOptions } from './recorder.ts'
import { createMemoryTrafficStore } from './memory-store.ts'

afterEach(() => {
  vi.useRealTimers()
})

const always = { from: 0, to: Number.MAX_SAFE_INTEGER, intervalMs: Number.MAX_SAFE_INTEGER }

/** Creates a recorder whose store fails while `isDown` is true. */
function openRecorder(options: Partial<TrafficRecorderOptions> = {}) {
  const store = createMemoryTrafficStore()
  const state = { isDown: false, at: 0, writes: 0, errors: [] as unknown[] }
  const traffic = createTrafficRecorder({
    store: {
      add(counts) {
        state.writes++
        return state.isDown ? Promise.reject(new Error('unavailable')) : store.add(counts)
      },
    },
    now: () => state.at,
    onError: (error) => state.errors.push(error),
    ...options,
  })
  return { store, state, traffic }
}

const observation = fc.record({
  provider: fc.constantFrom('doorbell', 'mailbox', 'unknown'),
  outcome: fc.constantFrom('accepted', 'duplicate', 'ignored', 'quarantined', 'refused', 'handshake'),
  code: fc.constantFrom('INVALID_SIGNATURE', 'RATE_LIMITED', undefined),
  reason: fc.constantFrom('NORMALIZER_FAILED', 'EVENT_TOO_OLD', 'mismatch'),
  kind: fc.option(
    fc.nat(40).map((number) => `kind-${number}`),
    { nil: undefined },
  ),
}) as fc.Arbitrary<Observation>

describe('createTrafficRecorder', () => {
  it('counts exactly the observed outcomes for any order of requests, minutes, writes and outages', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: observation },
      fc.constantFrom('flush' as const, 'outage' as const, 'minute' as const),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
        const { store, state, traffic } = openRecorder()
        const expected: Record<string, number> = {}
        for (const one of steps) {
          if (one === 'flush') await traffic.flush()
          else if (one === 'outage') state.isDown = !state.isDown
          else if (one === 'minute') state.at += 60_000
          else {
            traffic.observe(one)
            if (one.outcome === 'handshake') continue
            const key = `${state.at} ${one.provider} ${one.outcome}`
            expected[key] = (expected[key] ?? 0) + 1
          }
        }
        state.isDown = false
        await traffic.stop()
        const { series, reasons } = await store.sum({ ...always, intervalMs: 60_000 })
        const counted = series.map(({ at, provider, outcome, count }) => [
          `${at} ${provider} ${outcome}`,
          count,
        ])
        expect(Object.fromEntries(counted)).toEqual(expected)
        const sum = (counts: readonly { readonly count: number }[]) =>
          counts.reduce((total, { count }) => total + count, 0)
        expect(sum(reasons)).toBe(sum(series))
      }),
      { numRuns: 200 },
    )
  })

  it('uses the kind or the code as the reason', async () => {
    const { store, traffic } = openRecorder()
    for (const one of [
      { outcome: 'accepted', kind: 'bell.rung' },
      { outcome: 'ignored', kind: 'bell.polished' },
      { outcome: 'ignored' },
      { outcome: 'refused', code: 'INVALID_SIGNATURE', reason: 'mismatch' },
      { outcome: 'quarantined', reason: 'NORMALIZER_FAILED' },
    ] as const) {
      traffic.observe({ provider: 'doorbell', ...one })
    }
    await traffic.flush()
    const { reasons } = await store.sum(always)
    expect(reasons.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual([
      'accepted ',
      'ignored bell.polished',
      'ignored other',
      'refused INVALID_SIGNATURE',
      'quarantined NORMALIZER_FAILED',
    ])
  })

  it('counts reasons beyond 20 in a minute as other', async () => {
    const { store, state, traffic } = openRecorder()
    for (let kind = 0; kind < 50; kind++)
      traffic.observe({ provider: 'doorbell', outcome: 'ignored', kind: `${kind}` })
    await traffic.flush()
    const { reasons } = await store.sum(always)
    expect(reasons).toHaveLength(21)
    expect(reasons[0]).toMatchObject({ reason: 'other', count: 30 })
    state.at = 60_000
    traffic.observe({ provider: 'doorbell', outcome: 'ignored', kind: '49' })
    await traffic.flush()
    expect((await store.sum(always)).reasons.map(({ reason }) => reason)).toContain('49')
  })

  it('counts every answer of a gateway', async () => {
    const { store, traffic } = openRecorder()
    const { deliver, send } = openGateway({ observe: traffic.observe })
    await deliver()
    await deliver()
    await send()
    await send({ provider: 'some path of a scanner' })
    await traffic.flush()
    const { reasons } = await store.sum(always)
    expect(reasons.map(({ provider, outcome, reason }) => [provider, outcome, reason])).toEqual([
      ['doorbell', 'accepted', ''],
      ['doorbell', 'duplicate', ''],
      ['doorbell', 'refused', 'INVALID_SIGNATURE'],
      ['unknown', 'refused', 'UNKNOWN_PROVIDER'],
    ])
  })

  it('bounds the memory during an outage and reports what it drops', async () => {
    let dropped = 0
    const { store, state, traffic } = openRecorder({ maxCounts: 3, onDropped: (count) => (dropped += count) })
    state.isDown = true
    for (let minute = 0; minute < 10; minute++) {
      state.at = minute * 60_000
      traffic.observe({ provider: 'doorbell', outcome: 'accepted' })
      await traffic.flush()
    }
    expect([dropped, state.errors.length]).toEqual([7, 10])
    state.isDown = false
    await traffic.flush()
    expect((await store.sum(always)).reasons).toMatchObject([{ count: 3 }])
  })

  it('writes at the interval, not without requests, and at the stop', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { state, traffic } = openRecorder({ flushMs: 1000 })
    traffic.start()
    await vi.advanceTimersByTimeAsync(3000)
    expect(state.writes).toBe(0)
    for (let request = 0; request < 100; request++)
      traffic.observe({ provider: 'doorbell', outcome: 'accepted' })
    await vi.advanceTimersByTimeAsync(3000)
    expect(state.writes).toBe(1)
    traffic.observe({ provider: 'doorbell', outcome: 'accepted' })
    await traffic.stop()
    expect(state.writes).toBe(2)
    traffic.observe({ provider: 'doorbell', outcome: 'accepted' })
    await vi.advanceTimersByTimeAsync(3000)
    expect(state.writes).toBe(2)
  })

  it('does not lose a request that arrives during a write', async () => {
    const written: TrafficCount[] = []
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const traffic = createTrafficRecorder({
      store: {
        async add(counts) {
          await promise
          written.push(...counts)
        },
      },
    })
    const observe = () => {
      traffic.observe({ provider: 'doorbell', outcome: 'accepted' })
    }
    observe()
    const flushed = traffic.flush()
    await Promise.resolve()
    observe()
    resolve(undefined)
    await flushed
    await traffic.flush()
    expect(written.map(({ count }) => count)).toEqual([1, 1])
  })
})
