import { maxTimerMs } from '@sallyport/internal/deadline'

export interface RetryOptions {
  /** How often a request is sent at most. @default 3 */
  readonly attempts?: number
  /** The longest delay before a request is sent again, in milliseconds. A longer `Retry-After` ends the retries. @default 10,000 */
  readonly maxDelayMs?: number
  /** Waits between attempts. @default a timer */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Returns a number from 0 up to 1, which varies the delays. @default Math.random */
  readonly random?: () => number
}

interface Attempts extends RetryOptions {
  /** Whether a repeated request has the effect of one. */
  readonly isRepeatable: boolean
  readonly signal: AbortSignal | undefined
}

const firstDelayMs = 250

/**
 * Sends a request until the server answers it, at most as often as the options allow.
 *
 * @returns undefined without an answer
 * @throws the errors of `create`, and the reason of an aborted signal
 */
export async function sendWithRetries(
  create: () => Promise<Request>,
  send: (request: Request) => Promise<Response>,
  options: Attempts,
): Promise<Response | undefined> {
  const { attempts = 3, maxDelayMs = 10_000, sleep = wait, isRepeatable, signal } = options
  // eslint-disable-next-line no-restricted-properties -- the default of what is passed in
  const { random = Math.random } = options
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= attempts
    // Clients that failed at the same time do not return at the same time.
    let delayMs = firstDelayMs * 2 ** (attempt - 1) * (0.5 + random())
    const request = await create()
    try {
      const response = await send(request)
      const retryAfterMs = readRetryAfter(response)
      // The first request of an idempotency key that still runs is 409 with Retry-After.
      const isTemporary = response.status === 503 || (response.status === 409 && retryAfterMs !== undefined)
      // A request over its quota was not handled.
      const mayRepeat = response.status === 429 || (isTemporary && isRepeatable)
      delayMs = retryAfterMs ?? delayMs
      if (isLast || !mayRepeat || delayMs > maxDelayMs) return response
      await response.body?.cancel()
    } catch (error) {
      if (signal?.aborted === true) throw error
      if (isLast || !isRepeatable) return undefined
    }
    await sleep(Math.min(delayMs, maxDelayMs), signal)
  }
}

/** Reads `Retry-After` in seconds, as milliseconds; undefined without one. A date is not read: clocks differ. */
export function readRetryAfter({ headers }: Response): number | undefined {
  const seconds = headers.get('retry-after')
  return seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : undefined
}

export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(milliseconds, maxTimerMs),
    )
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) stop()
  })
}
