import type { CheckedHandler } from '../handlers/check-handlers.ts'
import { createUnknownGate } from './gate.ts'
import type { OpenDestination } from './open-destination.ts'

const base = { handle: () => undefined, maxAttempts: Infinity, backoff: {} } as const

/**
 * Creates the handler of a destination. It stays the same while the destination changes, so that the slots of running requests
 * are given back.
 *
 * @param find returns the destination as it is now; undefined for one that this process does not have
 */
export function createDestinationHandler(
  find: () => OpenDestination | undefined,
  ticks: () => number,
): CheckedHandler {
  const unknown = createUnknownGate(ticks)
  const getGate = () => find()?.gate ?? unknown
  return {
    ...base,
    get timeoutMs() {
      return find()?.timeoutMs ?? 1
    },
    get concurrency() {
      return find()?.concurrency ?? 1
    },
    gate: {
      get room() {
        return getGate().room
      },
      get closedMs() {
        return getGate().closedMs
      },
      get isAvailable() {
        return getGate().isAvailable
      },
      enter: () => {
        getGate().enter()
      },
      leave: () => {
        getGate().leave()
      },
    },
    attempt: (work, ending) =>
      find()?.attempt(work, ending) ?? Promise.resolve({ status: 'released' as const }),
  }
}
