import { isThenable, type MaybePromise } from './promises.ts'

/** The longest delay of `setTimeout` in milliseconds, about 24 days; a longer delay fires after 1 ms. */
export const maxTimerMs = 2 ** 31 - 1

/**
 * Settles like the value, or rejects when the deadline passes first. A plain value is returned at once.
 *
 * @param toError maps the `TimeoutError` to the error that is thrown
 * @throws DOMException `TimeoutError`
 */
export function withDeadline<T>(
  milliseconds: number,
  value: Promise<T>,
  toError?: (timeout: DOMException) => Error,
): Promise<T>
export function withDeadline<T>(
  milliseconds: number,
  value: MaybePromise<T>,
  toError?: (timeout: DOMException) => Error,
): MaybePromise<T>
export function withDeadline<T>(
  milliseconds: number,
  value: MaybePromise<T>,
  toError: (timeout: DOMException) => Error = (timeout) => timeout,
): MaybePromise<T> {
  if (!isThenable(value)) return value
  return new Promise((resolve, reject) => {
    const onTimeout = () => {
      reject(toError(new DOMException(`The operation took longer than ${milliseconds} ms`, 'TimeoutError')))
    }
    const timer = setTimeout(onTimeout, Math.min(milliseconds, maxTimerMs))
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
      })
  })
}

/**
 * Runs a step with a signal that is aborted at the deadline, and stops waiting for the step then.
 *
 * @param toError maps the `TimeoutError` to the error that is thrown and aborts the signal
 * @throws DOMException `TimeoutError`
 */
export async function runWithTimeout<T>(
  milliseconds: number,
  step: (signal: AbortSignal) => MaybePromise<T>,
  toError: (timeout: DOMException) => Error = (timeout) => timeout,
): Promise<T> {
  const controller = new AbortController()
  const running = (async () => step(controller.signal))()
  return withDeadline(milliseconds, running, (timeout) => {
    const error = toError(timeout)
    controller.abort(error)
    return error
  })
}

/** Waits for a value, at most for some time in milliseconds; a negative time is 0. Rejects like the value. */
export async function waitAtMost(milliseconds: number, value: MaybePromise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.max(0, Math.min(milliseconds, maxTimerMs)))
  })
  try {
    await Promise.race([value, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Settles like the promise, or rejects with the reason of the signal when the signal is aborted first. The work of
 * the promise continues.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('Aborted', { cause: signal.reason }))
    }
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort)
  }
}
