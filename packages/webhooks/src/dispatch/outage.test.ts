import { describe, expect, it, vi } from 'vitest'
import { createOutageDetector, type OutageDetector } from './outage.ts'

function detector() {
  let time = 0
  const onRecovery = vi.fn()
  const outage = createOutageDetector(() => {
    const startedAt = time
    return () => time - startedAt
  }, onRecovery)
  return {
    outage,
    onRecovery,
    advance: (milliseconds: number) => {
      time += milliseconds
    },
    failAll: () => {
      for (const id of ['a', 'b', 'c']) outage.failed([id])
    },
  }
}

describe('the outage detector', () => {
  it('reports an outage after three failed attempts of several events', () => {
    const { outage } = detector()
    outage.failed(['a'])
    outage.failed(['b'])
    expect(outage.isDown).toBe(false)
    outage.failed(['a'])
    expect(outage.isDown).toBe(true)
  })

  it('recovers from an outage that ended before the process started', () => {
    const { outage, onRecovery } = detector()
    outage.retried({ taken: 0, refused: 0 })
    expect(outage.countToMakeDue(100)).toBe(0)
    outage.retried({ taken: 1, refused: 0 })
    expect([onRecovery.mock.calls.length, outage.countToMakeDue(100)]).toEqual([1, 100])
    outage.madeDue(3, 100)
    outage.retried({ taken: 3, refused: 0 })
    expect([onRecovery.mock.calls.length, outage.countToMakeDue(100)]).toEqual([1, 0])
  })

  it.each([
    [
      'an attempt failed',
      (outage: OutageDetector) => {
        outage.failed(['a'])
      },
    ],
    [
      'an event failed again',
      (outage: OutageDetector) => {
        outage.retried({ taken: 1, refused: 1 })
      },
    ],
  ])('does not assume an earlier outage after %s', (_, attempt) => {
    const { outage, onRecovery } = detector()
    attempt(outage)
    outage.retried({ taken: 5, refused: 0 })
    expect([onRecovery.mock.calls.length, outage.countToMakeDue(100)]).toEqual([0, 0])
  })

  it('reports no outage for one event that fails', () => {
    const { outage, onRecovery, advance } = detector()
    for (let attempt = 0; attempt < 50; attempt++) outage.failed(['a'])
    advance(60_000)
    expect([outage.isDown, outage.countToMakeDue(100)]).toEqual([false, 0])
    outage.succeeded()
    expect(outage.countToMakeDue(100)).toBe(0)
    expect(onRecovery).not.toHaveBeenCalled()
  })

  it('reports no outage while other events succeed', () => {
    const { outage } = detector()
    for (let attempt = 0; attempt < 50; attempt++) {
      outage.failed(['a'])
      outage.failed(['b'])
      outage.succeeded()
    }
    expect([outage.isDown, outage.countToMakeDue(100)]).toEqual([false, 0])
  })

  it('makes events due in portions from the first success on, until fewer wait than were asked for', () => {
    const { outage, onRecovery, failAll } = detector()
    failAll()
    expect(outage.countToMakeDue(100)).toBe(0)
    outage.succeeded()
    expect(onRecovery).toHaveBeenCalledTimes(1)
    expect(outage.countToMakeDue(100)).toBe(100)
    outage.madeDue(100, 100)
    // One event that fails does not end the recovery of the others.
    outage.failed(['poison'])
    outage.succeeded()
    expect(outage.countToMakeDue(50)).toBe(50)
    outage.madeDue(49, 50)
    expect(outage.countToMakeDue(100)).toBe(0)
    expect(onRecovery).toHaveBeenCalledTimes(1)
  })

  // 500 events that a bus refused, while it took others, were tried 1,600 times a second.
  it('waits longer and longer before the next recovery where more events fail again than are taken', () => {
    const { outage, onRecovery, advance, failAll } = detector()
    const recover = () => {
      failAll()
      outage.succeeded()
      const count = onRecovery.mock.calls.splice(0).length
      outage.retried({ taken: 100, refused: 101 })
      return count
    }
    expect(recover()).toBe(1)
    for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
      advance(seconds * 1000 - 1)
      expect(recover()).toBe(0)
      advance(1)
      expect(recover()).toBe(1)
    }
  })

  it('recovers at once after a recovery in which the events were taken', () => {
    const { outage, onRecovery, failAll } = detector()
    for (const count of [1, 2, 3]) {
      failAll()
      outage.retried({ taken: 0, refused: 5000 })
      outage.succeeded()
      expect(onRecovery).toHaveBeenCalledTimes(count)
      outage.retried({ taken: 5, refused: 5 })
    }
  })

  it('ends a recovery of many events that fail while others are taken', () => {
    const { outage, failAll } = detector()
    failAll()
    outage.succeeded()
    outage.retried({ taken: 100, refused: 1100 })
    expect(outage.countToMakeDue(100)).toBe(100)
    outage.retried({ taken: 0, refused: 1 })
    expect(outage.countToMakeDue(100)).toBe(0)
  })

  it('ends the recovery when the next outage begins', () => {
    const { outage, failAll } = detector()
    failAll()
    outage.succeeded()
    failAll()
    expect([outage.isDown, outage.countToMakeDue(100)]).toEqual([true, 0])
  })

  it('asks for one event as a probe after 2 seconds without an attempt, and for no other one at once', () => {
    const { outage, advance, failAll } = detector()
    failAll()
    advance(1999)
    expect(outage.countToMakeDue(100)).toBe(0)
    advance(1)
    expect(outage.countToMakeDue(100)).toBe(1)
    expect(outage.countToMakeDue(100)).toBe(0)
    outage.failed(['a'])
    advance(2000)
    expect(outage.countToMakeDue(100)).toBe(1)
  })

  it('probes every 30 seconds in a long outage', () => {
    const { outage, advance, failAll } = detector()
    failAll()
    advance(3_600_000)
    outage.failed(['a'])
    advance(29_999)
    expect(outage.countToMakeDue(100)).toBe(0)
    advance(1)
    expect(outage.countToMakeDue(100)).toBe(1)
  })
})
