import { describe, expect, it } from 'vitest'
import { findFailingTests } from '../test/failing-tests.ts'
import { type FailureLimiterFixtureOptions, testFailureLimiter } from './failure-limiter.ts'

/** Faults of a limiter. */
interface Wrong {
  /** When a window ends that was to end at a time, and of which there is news now. */
  readonly asked?: (endsAt: number, restarted: number) => number
  readonly failed?: (endsAt: number, restarted: number) => number
  readonly told?: (leftMs: number, windowMs: number) => number
  readonly addresses?: number
  /** Whether failures extend a window that has ended. */
  readonly goesOn?: boolean
}

function getLimiter(
  { asked = Number, failed = Number, told = Number, addresses = Infinity, goesOn = false }: Wrong,
  { failures, windowMs, now }: FailureLimiterFixtureOptions,
) {
  const windows = new Map<string, { failures: number; endsAt: number }>()
  // Of the forms of an address, as many as the suite has.
  const getNetwork = (address: string) =>
    address
      .toLowerCase()
      .replace(/^::ffff:/, '')
      .replace(/(\.\d+):\d+$/, '$1')
      .replace(/^(2001:db8)::\w+$/, '$1')
  const current = (network: string) => {
    const window = windows.get(network)
    if (window && (goesOn || window.endsAt > now())) return window
    windows.delete(network)
    return undefined
  }
  return {
    check(address: string) {
      const window = current(getNetwork(address))
      if (window === undefined || window.failures < failures) return 0
      window.endsAt = asked(window.endsAt, now() + windowMs)
      return told(window.endsAt - now(), windowMs)
    },
    fail(address: string) {
      const network = getNetwork(address)
      const window = current(network)
      if (window === undefined) {
        if (windows.size >= addresses) windows.clear()
        windows.set(network, { failures: 1, endsAt: now() + windowMs })
        return 0
      }
      window.failures++
      window.endsAt = failed(window.endsAt, now() + windowMs)
      return window.failures > failures ? told(window.endsAt - now(), windowMs) : 0
    },
  }
}

testFailureLimiter({ describe, expect, it }, { create: (options) => getLimiter({}, options) })

describe('testFailureLimiter detects', () => {
  const ends = 'does not extend a window by checks or failures'
  const tells = 'returns the remaining time of the window as the wait'

  it.each<[string, Wrong, string[]]>([
    ['a check that extends the block', { asked: Math.max }, [ends, tells]],
    ['a failure that restarts the window', { failed: Math.max }, [ends, tells]],
    ['a wait that never decreases', { told: (_, windowMs) => windowMs }, [tells]],
    ['a wait that is too short', { told: (leftMs) => leftMs / 2 }, [tells]],
    [
      'a limiter that blocks only in the first window',
      { goesOn: true, told: (leftMs) => Math.max(0, leftMs) },
      ['blocks an address again in a later window'],
    ],
    [
      'a limiter that forgets addresses when there are many',
      { addresses: 5 },
      ['counts many addresses independently'],
    ],
  ])('%s', async (_, wrong, failures) => {
    const failed = await findFailingTests((runner) => {
      testFailureLimiter(runner, { create: (options) => getLimiter(wrong, options) })
    })
    expect(failed).toEqual(failures)
  })
})
