import { SallyportError } from '@sallyport/errors'
import { callHook } from '@sallyport/internal/promises'

export type OnError = (error: unknown) => unknown

/** Reports an unreadable row. The message contains only ids. */
export function reportUnreadable(onError: OnError | undefined, message: string): void {
  callHook(onError, new SallyportError('BAD_REQUEST', message))
}

/** Reports an event whose encryption key is missing. */
export function reportMissingKey(onError: OnError | undefined, event: string): void {
  const message = `No encryption key opens the event ${event}: it waits until the ring has its key`
  callHook(onError, new SallyportError('ENCRYPTION_KEY_MISSING', message, { status: 503 }))
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
