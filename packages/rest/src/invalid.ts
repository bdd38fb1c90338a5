import { SallyportError, type ErrorCode, type ErrorDetail } from '@sallyport/errors'

/** How invalid input is answered. */
export interface InvalidInputOptions {
  /**
   * The error code; `VALIDATION_FAILED` is answered with 422 unless a status says otherwise.
   *
   * @default 'VALIDATION_ERROR'
   */
  readonly code?: ErrorCode | (string & {})
  /** @default the status of the code: 400 for `VALIDATION_ERROR` */
  readonly status?: number
}

const maxDetails = 100

/** The error for input with problems, all of them (at most 100) as details. */
export function invalidInput(
  message: string,
  details: readonly ErrorDetail[],
  { code = 'VALIDATION_ERROR', status }: InvalidInputOptions = {},
): SallyportError {
  return new SallyportError(code, message, {
    details: details.slice(0, maxDetails),
    ...(status !== undefined && { status }),
  })
}
