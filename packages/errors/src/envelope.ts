import { codeForStatus, type ErrorCode } from './codes.ts'
import { isSallyportError, type ErrorDetail } from './coded-error.ts'
import type { SallyportError } from './sallyport-error.ts'

/** The body of every error response: `{ error: { code, message, details? } }`. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode | (string & {})
    readonly message: string
    readonly details?: readonly ErrorDetail[]
  }
}

/** The status, headers and body of an error response, independent of any framework. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorEnvelope
}

/** The message of every response to an unexpected error. */
const unexpectedErrorMessage = 'An unexpected error occurred'

/**
 * Converts any thrown value into a response.
 *
 * - A `SallyportError` determines its status, code, message, details and headers.
 * - Another error with a status from 400 to 599 (in `status` or `statusCode`) keeps that status. The response shows its
 *   message only if the status is below 500 and the error has `expose: true`, as errors of http-errors do.
 * - Everything else becomes 500 `INTERNAL_ERROR` without its message.
 *
 * @example
 * ```ts
 * import { SallyportError, toErrorResponse } from '@sallyport/errors'
 *
 * const { status, body } = toErrorResponse(new SallyportError('NOT_FOUND', 'There is no such user'))
 * // status 404, body { error: { code: 'NOT_FOUND', message: 'There is no such user' } }
 * ```
 */
export function toErrorResponse(error: unknown): ErrorResponse {
  const status = isSallyportError(error) ? undefined : readStatus(error)
  if (status === undefined) return codedResponse(error)
  const code = codeForStatus(status)
  if (status >= 500) return buildResponse({ status, code, message: unexpectedErrorMessage })
  const { expose, message } = error as { expose?: unknown; message?: unknown }
  const isShown = expose === true && typeof message === 'string' && message !== ''
  return buildResponse({ status, code, message: isShown ? message : 'The request was refused' })
}

/**
 * Converts any thrown value into a response without the table of codes. A `SallyportError` determines its response.
 * Everything else becomes 500 `INTERNAL_ERROR`, including errors of a framework that have a status.
 */
export function codedResponse(error: unknown): ErrorResponse {
  const isShown = isSallyportError(error) && error.code !== 'INTERNAL_ERROR'
  return buildResponse(
    isShown ? error : { status: 500, code: 'INTERNAL_ERROR', message: unexpectedErrorMessage },
  )
}

type ResponseFields = Pick<SallyportError, 'status' | 'code' | 'message'> &
  Partial<Pick<SallyportError, 'headers' | 'details'>>

function buildResponse({ status, headers = {}, code, message, details }: ResponseFields): ErrorResponse {
  return { status, headers, body: { error: { code, message, ...(details && { details }) } } }
}

function readStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown }
  const own = status ?? statusCode
  return typeof own === 'number' && Number.isInteger(own) && own >= 400 && own < 600 ? own : undefined
}
