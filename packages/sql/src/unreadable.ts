import { SallyportError } from '@sallyport/errors'

export type OnError = (error: unknown) => unknown

/** Tells of what was stored and cannot be read any more, by ids only; whoever is told cannot stop what tells it. */
export function tellUnreadable(onError: OnError | undefined, message: string): void {
  try {
    void Promise.resolve(onError?.(new SallyportError('BAD_REQUEST', message))).catch(() => undefined)
  } catch {
    // Others are waiting for theirs.
  }
}
