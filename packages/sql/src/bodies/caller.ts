import { runWithTimeout } from '@sallyport/internal/deadline'

/**
 * Creates a function that calls a store with a timeout. After a timeout, calls fail at once for a second: the work of many
 * bodies would otherwise wait for a store that hangs, one timeout after the other.
 *
 * @throws the error of the call; DOMException `TimeoutError`
 */
export function createCaller(timeoutMs: number, pauseMs = 1000) {
  let timeout: unknown
  let pausedUntil = 0
  return async <T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    if (performance.now() < pausedUntil) throw timeout
    return await runWithTimeout(timeoutMs, call, (error) => {
      timeout = error
      pausedUntil = performance.now() + pauseMs
      return error
    })
  }
}
