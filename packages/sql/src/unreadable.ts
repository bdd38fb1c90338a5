import { SallyportError } from '@sallyport/errors'

export type OnError = (error: unknown) => unknown

/** Reports an unreadable row by its ids only. */
export function tellUnreadable(onError: OnError | undefined, message: string): void {
  report(onError, new SallyportError('BAD_REQUEST', message))
}

/** Calls a listener and ignores its errors. */
export function report<Reported>(
  listener: ((error: Reported) => unknown) | undefined,
  error: Reported,
): void {
  try {
    void Promise.resolve(listener?.(error)).catch(() => undefined)
  } catch {
    // The reported work is done: an error of the listener must not fail it.
  }
}
