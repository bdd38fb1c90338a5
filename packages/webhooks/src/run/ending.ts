/** The end of a unit before its events are handled: its lease is lost, or the process stops. */
export interface Ending {
  /** Set at the end. */
  readonly reason: Error | undefined
  hasEnded(): boolean
  end(reason: Error): void
  /** Calls the function at the end. It replaces the function before it: a unit has one running handler. */
  onEnd(listener: ((reason: Error) => void) | undefined): void
}

/** Creates an ending: an `AbortController` for each unit would cost more than the rest of a short run. */
export function createEnding(): Ending {
  let reason: Error | undefined
  let listener: ((reason: Error) => void) | undefined
  return {
    get reason() {
      return reason
    },
    hasEnded: () => reason !== undefined,
    end(given) {
      if (reason !== undefined) return
      reason = given
      listener?.(given)
    },
    onEnd(given) {
      listener = given
    },
  }
}

/**
 * Runs a step with a signal that aborts at the timeout and at the end of the unit, and stops waiting for the step then.
 *
 * @throws DOMException `TimeoutError`, and the reason of the end
 */
export async function runUntilEnd<T>(
  timeoutMs: number,
  ending: Ending,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const abort = (reason: Error) => {
    reject(reason)
    controller.abort(reason)
  }
  const timer = setTimeout(() => {
    abort(new DOMException(`The handler took longer than ${timeoutMs} ms`, 'TimeoutError'))
  }, timeoutMs)
  ending.onEnd(abort)
  try {
    step(controller.signal).then(resolve, reject)
    return await promise
  } finally {
    clearTimeout(timer)
    ending.onEnd(undefined)
  }
}
