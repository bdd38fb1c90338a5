/**
 * One error class with stable codes, the status of each code, and the error envelope.
 *
 * @module
 */
export { statusByCode, type ErrorCode } from './codes.ts'
export { CodedError, isSallyportError, type DetailLocation, type ErrorDetail } from './coded-error.ts'
export { codedResponse, toErrorResponse, type ErrorEnvelope, type ErrorResponse } from './envelope.ts'
export { SallyportError } from './sallyport-error.ts'
