import { SallyportError } from '@sallyport/errors'
import { callHook } from '@sallyport/internal/promises'

export type OnError = (error: unknown) => unknown

/** Reports an unreadable row. The message contains only ids. */
export function reportUnreadable(onError: OnError | undefined, message: string): void {
  callHook(onError, new SallyportError('BAD_REQUEST', message))
}

export function inboxUnavailable(cause: unknown): SallyportError {
  return new SallyportError('INBOX_UNAVAILABLE', 'The database cannot be written to now: try again', {
    headers: { 'Retry-After': '5' },
    cause,
  })
}

/** The error of a write that finds too many others waiting. */
export function overloaded(): SallyportError {
  return new SallyportError('OVERLOADED', 'Too many writes are waiting: try again', {
    headers: { 'Retry-After': '1' },
  })
}

export function unfinished(): SallyportError {
  return new SallyportError(
    'CONFLICT',
    'The delivery has an unpublished event or an open notification: erase the delivery afterwards',
  )
}
