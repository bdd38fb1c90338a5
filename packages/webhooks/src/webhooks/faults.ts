import { CodedError } from '@sallyport/errors'
import type { Observation } from '../gateway/gateway-contract.ts'
import type { ReportError } from './report.ts'

/** The codes of answers whose cause is in the application or its settings. */
const faultCodes: ReadonlySet<string | undefined> = new Set(['INTERNAL_ERROR', 'PROVIDER_UNAVAILABLE'])
/** Each provider reports a code at most once in this time. */
const silenceMs = 60_000

/** Reports faults of the application that only senders would notice. */
export interface Faults {
  readonly observe: (observation: Observation) => void
  /** Called when the webhooks start: until then, a recorded event waits without a handler. */
  readonly start: () => void
  readonly stop: () => void
}

/** @param monotonicNow milliseconds. @default performance.now */
export function createFaults(onError: ReportError, monotonicNow = () => performance.now()): Faults {
  const reportedAt = new Map<string, number>()
  let isStarted = false

  function report({ provider, code = '', error }: Observation): void {
    const key = `${provider} ${code}`
    const at = monotonicNow()
    if (at - (reportedAt.get(key) ?? -Infinity) < silenceMs) return
    reportedAt.set(key, at)
    onError(error, 'gateway')
  }

  return {
    observe(observation) {
      if (faultCodes.has(observation.code)) report(observation)
      if (isStarted || observation.outcome !== 'accepted') return
      isStarted = true
      onError(
        new CodedError(503, 'NOT_STARTED', 'A delivery waits, and has no handler: call start()'),
        'gateway',
      )
    },
    start() {
      isStarted = true
    },
    stop() {
      // Deliveries that are answered after the stop wait for the next process.
    },
  }
}
