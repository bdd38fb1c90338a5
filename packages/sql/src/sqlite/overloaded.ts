import { SallyportError } from '@sallyport/errors'
import type { SqliteError } from './errors.ts'

/** The error of a statement that did not run and can be retried. */
export const overloaded = (cause: SqliteError): SallyportError =>
  new SallyportError('OVERLOADED', 'The database is busy; try again', {
    headers: { 'Retry-After': '1' },
    cause,
  })

/** The error of a statement that needs a repair by an operator. */
export const unavailable = (cause: unknown): SallyportError =>
  new SallyportError('SERVICE_UNAVAILABLE', 'The database cannot be used now; try again later', {
    headers: { 'Retry-After': '5' },
    cause,
  })
