import { SallyportError } from '@sallyport/errors'
import { runWithTimeout } from '@sallyport/internal/deadline'

export interface Deadline {
  readonly what: 'source' | 'target'
  readonly name: string
  readonly milliseconds: number
  /** Aborts the step, too. */
  readonly stop: AbortSignal
}

const codes = { source: 'ALERT_SOURCE_TIMEOUT', target: 'ALERT_TARGET_TIMEOUT' } as const

/**
 * Runs a step of a source or a target with a signal, and stops waiting for the step at the deadline.
 *
 * @throws SallyportError 504 `ALERT_SOURCE_TIMEOUT` or `ALERT_TARGET_TIMEOUT` at the deadline
 */
export function runWithDeadline<T>(
  { what, name, milliseconds, stop }: Deadline,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return runWithTimeout(
    milliseconds,
    (late) => step(AbortSignal.any([stop, late])),
    (cause) => {
      const message = `The ${what} "${name}" of alerts took longer than ${milliseconds} ms: it runs again at a later check`
      return new SallyportError(codes[what], message, { status: 504, cause })
    },
  )
}
