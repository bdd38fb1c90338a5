import type { MaybePromise } from './ports.ts'

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
  let timer: ReturnType<typeof setTimeout> | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = timedOut(milliseconds)
      controller.abort(reason)
      reject(reason)
    }, milliseconds)
  })
  try {
    return await Promise.race([step(controller.signal), expired])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A value that is there at once as it is, and a promise for no longer than its time.
 *
 * @throws DOMException `TimeoutError` when the time is up
 */
export function within<T>(milliseconds: number, value: MaybePromise<T>): MaybePromise<T> {
  if (!(value instanceof Promise)) return value
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(timedOut(milliseconds))
    }, milliseconds)
    value.then(resolve, reject).finally(() => {
      clearTimeout(timer)
    })
  })
}

function timedOut(milliseconds: number): DOMException {
  return new DOMException(`It took longer than ${milliseconds} ms`, 'TimeoutError')
}
