import { callHook } from '@sallyport/internal/promises'
import type { LeaseAge } from '../ports/lease-age.ts'
import type { Settlement, TargetResult } from '../ports/ports.ts'
import { createOutageDetector, type OutageDetector } from './outage.ts'

/** Destinations that failed and have a detector. Events for further ones wait for their back-off. */
const maxTargets = 100

/** An attempt for one item, with its results by destination if the publisher has several. */
export interface CountedAttempt {
  readonly id: string
  /** Whether an earlier attempt failed. */
  readonly isRetry: boolean
  readonly status: Settlement['outcome']['status']
  readonly targets: readonly TargetResult[] | undefined
}

/** Detects the outages of the destinations of a publisher, each by its own results. */
export interface Outages {
  /** Counts the attempts of a batch. */
  count(attempts: readonly CountedAttempt[]): void
  /** Makes work due for destinations that recover, and probes for those that are down. */
  makeDue(limit: number): Promise<void>
}

interface OutagesOptions {
  readonly startClock: () => LeaseAge
  readonly onRecovery: () => void
  /** Makes work due that waits for a destination, and returns the number of items. */
  readonly makeDue: (limit: number, target: string | undefined) => Promise<number>
  readonly onError: ((error: unknown) => unknown) | undefined
}

/** The result of an item of a batch at a destination. */
interface Verdict {
  readonly id: string
  readonly isRetry: boolean
  /** A final failure says nothing about the destination. */
  readonly result: 'taken' | 'refused' | 'final'
}

export function createOutages({ startClock, onRecovery, makeDue, onError }: OutagesOptions): Outages {
  // Undefined is the name of a publisher that does not name its destinations.
  const detectors = new Map<string | undefined, OutageDetector>()

  function getDetector(name: string | undefined, verdicts: readonly Verdict[]): OutageDetector | undefined {
    const known = detectors.get(name)
    const hasFailed = verdicts.some(({ isRetry, result }) => isRetry || result === 'refused')
    if (known !== undefined || !hasFailed || detectors.size === maxTargets) return known
    const created = createOutageDetector(startClock, onRecovery)
    detectors.set(name, created)
    return created
  }

  return {
    count(attempts) {
      for (const [name, verdicts] of groupByTarget(attempts)) {
        const detector = getDetector(name, verdicts)
        if (detector !== undefined) countBatch(detector, verdicts)
      }
    },
    async makeDue(limit) {
      for (const [name, detector] of detectors) {
        const asked = detector.countToMakeDue(limit)
        if (asked === 0) continue
        try {
          detector.madeDue(await makeDue(asked, name), asked)
        } catch (error) {
          callHook(onError, error)
        }
      }
    },
  }
}

function groupByTarget(
  attempts: readonly CountedAttempt[],
): ReadonlyMap<string | undefined, readonly Verdict[]> {
  const groups = new Map<string | undefined, Verdict[]>()
  const add = (name: string | undefined, verdict: Verdict) => {
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [verdict])
    else group.push(verdict)
  }
  for (const { id, isRetry, status, targets } of attempts) {
    if (targets === undefined) add(undefined, { id, isRetry, result: results[status] })
    else for (const { name, ok } of targets) add(name, { id, isRetry, result: ok ? 'taken' : 'refused' })
  }
  return groups
}

const results = {
  done: 'taken',
  queued: 'taken',
  retry: 'refused',
  dead: 'final',
  released: 'final',
} as const

function countBatch(detector: OutageDetector, verdicts: readonly Verdict[]): void {
  const has = (result: Verdict['result']) => verdicts.some((one) => one.result === result)
  const retries = verdicts.filter(({ isRetry }) => isRetry)
  const refused = retries.filter(({ result }) => result === 'refused').length
  detector.retried({ taken: retries.length - refused, refused })
  if (has('taken')) detector.succeeded()
  else if (has('refused')) detector.failed(verdicts.map(({ id }) => id))
}
