/**
 * One error class with stable codes, the status of each code, and the error envelope.
 *
 * @module
 */
export { codeForStatus, statusByCode, type ErrorCode } from './codes.ts'
export {
  toErrorResponse,
  unexpectedErrorMessage,
  type ErrorEnvelope,
  type ErrorResponse,
} from './envelope.ts'
export {
  isSallyportError,
  SallyportError,
  type ErrorDetail,
  type SallyportErrorOptions,
} from './sallyport-error.ts'
