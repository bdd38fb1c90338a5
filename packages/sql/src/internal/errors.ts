import { SallyportError } from '@sallyport/errors'
import { callHook } from '@sallyport/internal/promises'

export type OnError = (error: unknown) => unknown

/** Reports an unreadable row. The message contains only ids. */
export function reportUnreadable(onError: OnError | undefined, message: string): void {
  callHook(onError, new SallyportError('BAD_REQUEST', message))
}

/** Reports an event that waits. @param reason starts with a code and a colon */
export function reportWaiting(onError: OnError | undefined, event: string, reason: string): void {
  const [code = ''] = reason.split(':', 1)
  callHook(onError, new SallyportError(code, `The event ${event} waits. ${reason}`, { status: 503 }))
}

export function inboxUnavailable(cause: unknown): SallyportError {
  return new SallyportError('INBOX_UNAVAILABLE', 'The database cannot be written to now: try again', {
    headers: { 'Retry-After': '5' },
    cause,
  })
}

/** The error of a body that the store cannot store or return now. */
export function bodyUnavailable(reason: string, cause?: unknown): SallyportError {
  return new SallyportError('BODY_UNAVAILABLE', `${reason}: try again`, {
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
