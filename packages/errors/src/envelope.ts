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

/** What an error is answered with, before any framework has a say. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorEnvelope
}

/** The only text that a caller reads about an error that nobody foresaw. */
export const unexpectedErrorMessage = 'An unexpected error occurred'

/**
 * The response for anything that was thrown.
 *
 * - A `SallyportError` is answered as it says.
 * - Another error that carries a status (400 to 599, in `status` or `statusCode`) keeps it. Its message is shown only
 *   below 500, and when it says that it may be (`expose: true`, as http-errors does).
 * - Everything else is 500 `INTERNAL_ERROR`. From 500 on the text is {@link unexpectedErrorMessage}: nothing of the
 *   inside leaves.
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
  const status = isSallyportError(error) ? undefined : statusOf(error)
  if (status === undefined) return codedResponse(error)
  const code = codeForStatus(status)
  if (status >= 500) return responseOf({ status, code, message: unexpectedErrorMessage })
  const { expose, message } = error as { expose?: unknown; message?: unknown }
  const isShown = expose === true && typeof message === 'string' && message !== ''
  return responseOf({ status, code, message: isShown ? message : 'The request was refused' })
}

/**
 * The response for what is thrown where no framework throws: a `SallyportError` is answered as it says, everything else
 * is 500 `INTERNAL_ERROR`. It needs no table of codes.
 */
export function codedResponse(error: unknown): ErrorResponse {
  const isShown = isSallyportError(error) && error.code !== 'INTERNAL_ERROR'
  return responseOf(
    isShown ? error : { status: 500, code: 'INTERNAL_ERROR', message: unexpectedErrorMessage },
  )
}

type Shown = Pick<SallyportError, 'status' | 'code' | 'message'> &
  Partial<Pick<SallyportError, 'headers' | 'details'>>

function responseOf({ status, headers = {}, code, message, details }: Shown): ErrorResponse {
  return { status, headers, body: { error: { code, message, ...(details && { details }) } } }
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown }
  const own = status ?? statusCode
  return typeof own === 'number' && Number.isInteger(own) && own >= 400 && own < 600 ? own : undefined
}
