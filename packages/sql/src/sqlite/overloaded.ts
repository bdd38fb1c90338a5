import { SallyportError } from '@sallyport/errors'
import type { SqliteError } from './errors.ts'

/** The error for whoever asked for a statement: nothing has happened, and it can be tried again. */
export const overloaded = (cause: SqliteError): SallyportError =>
  new SallyportError('OVERLOADED', 'The database is busy; try again', {
    headers: { 'Retry-After': '1' },
    cause,
  })

/** The error of a statement that the database cannot run until an operator has mended it. */
export const unavailable = (cause: unknown): SallyportError =>
  new SallyportError('SERVICE_UNAVAILABLE', 'The database cannot be used now; try again later', {
    headers: { 'Retry-After': '5' },
    cause,
  })
