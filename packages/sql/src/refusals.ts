import { SallyportError } from '@sallyport/errors'

export function inboxUnavailable(cause: unknown): SallyportError {
  return new SallyportError('INBOX_UNAVAILABLE', 'The database cannot be written to now: try again', {
    headers: { 'Retry-After': '5' },
    cause,
  })
}

export function overloaded(): SallyportError {
  return new SallyportError('OVERLOADED', 'Too much is waiting to be written: try again', {
    headers: { 'Retry-After': '1' },
  })
}

export function unfinished(): SallyportError {
  return new SallyportError(
    'CONFLICT',
    'Events of this delivery are not yet published or notified of: erase the delivery afterwards',
  )
}
