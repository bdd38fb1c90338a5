import { SallyportError } from '@sallyport/errors'
import type { SqliteError } from './errors.ts'

/** The error for whoever asked for a statement: nothing has happened, and it can be tried again. */
export const overloaded = (cause: SqliteError): SallyportError =>
  new SallyportError('OVERLOADED', 'The database is busy; try again', {
    headers: { 'Retry-After': '1' },
    cause,
  })
