import { SallyportError } from '@sallyport/errors'

export type OnError = (error: unknown) => unknown

/** Reports what was stored and cannot be read any more, by ids only. */
export function tellUnreadable(onError: OnError | undefined, message: string): void {
  report(onError, new SallyportError('BAD_REQUEST', message))
}

/** Calls a listener, whose own errors are ignored. */
export function report<Reported>(
  listener: ((error: Reported) => unknown) | undefined,
  error: Reported,
): void {
  try {
    void Promise.resolve(listener?.(error)).catch(() => undefined)
  } catch {
    // A listener that fails does not fail the work that it hears of.
  }
}
