import { isThenable } from './maybe-promise.ts'
import { longestTimer } from './options.ts'
import type { MaybePromise } from '../ports/ports.ts'

/**
 * Runs a step that is told by a signal when its time is up, and stops waiting for it then, heard or not.
 *
 * @throws DOMException `TimeoutError` when the time is up
 */
export async function withTimeout<T>(
  milliseconds: number,
  step: (signal: AbortSignal) => MaybePromise<T>,
): Promise<T> {
  const controller = new AbortController()
  // A promise of our own: what a step returns may be one of another kind.
  const running = (async () => step(controller.signal))()
  return within(milliseconds, running, (reason) => {
    controller.abort(reason)
    return reason
  })
}

type Late = (reason: DOMException) => Error

/**
 * A value that is there at once as it is, and a promise for no longer than its time, or than a timer can wait.
 *
 * @param late told when the time is up; what it makes of the reason is thrown
 * @throws DOMException `TimeoutError` when the time is up, unless `late` makes another error of it
 */
export function within<T>(milliseconds: number, value: Promise<T>, late?: Late): Promise<T>
export function within<T>(milliseconds: number, value: MaybePromise<T>, late?: Late): MaybePromise<T>
export function within<T>(
  milliseconds: number,
  value: MaybePromise<T>,
  late: Late = (reason) => reason,
): MaybePromise<T> {
  if (!isThenable(value)) return value
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        const reason = new DOMException(`It took longer than ${milliseconds} ms`, 'TimeoutError')
        reject(late(reason))
      },
      Math.min(milliseconds, longestTimer),
    )
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
      })
  })
}
