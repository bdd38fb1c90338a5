import { SallyportError, type ErrorDetail } from '@sallyport/errors'

/** Creates the error for a field of a body with a value that the server cannot use. */
export const invalidField = (field: string, message: string): SallyportError =>
  invalidFields([{ code: 'INVALID_VALUE', field, in: 'body', message }])

export const invalidFields = (details: readonly ErrorDetail[]): SallyportError =>
  new SallyportError('VALIDATION_ERROR', 'The request is not valid', { details })
