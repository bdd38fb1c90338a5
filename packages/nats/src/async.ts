import { SallyportError } from '@sallyport/errors'

/** Tracks running calls, so that `close` can wait for them. */
export class Operations {
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /** Aborted when `close` is called. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  async run<Value>(operation: () => Promise<Value>): Promise<Value> {
    if (this.closing.aborted)
      throw new SallyportError('SERVICE_UNAVAILABLE', `The ${this.#name} is closed: open another`)
    const running = operation()
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  /** Rejects new calls and resolves when the running ones have ended. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#running)
  }
}

/** Waits for a promise or for an abort of the signal. An abort does not stop the operation. */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const rejectAborted = () => {
    aborted.reject(signal.reason as Error)
  }
  signal.addEventListener('abort', rejectAborted)
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', rejectAborted)
  }
}

/** Calls a hook of the user. An error of the hook affects neither the caller nor the process. */
export function callHook(hook: () => unknown): void {
  // The hook reports its own errors.
  new Promise((resolve) => {
    resolve(hook())
  }).catch(() => undefined)
}
