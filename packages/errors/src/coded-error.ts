import type { ErrorCode } from './codes.ts'
import type { SallyportError } from './sallyport-error.ts'

const brand = Symbol.for('@sallyport/errors.SallyportError')

/** One problem with one field of an input. */
export interface ErrorDetail {
  /** Dotted path of the field, such as `items.0.name`; for a query parameter, its name. */
  readonly field: string
  /** What is wrong with it, in words for the caller. */
  readonly message: string
}

export interface CodedErrorOptions extends ErrorOptions {
  /** The problems of an input, one entry each. */
  readonly details?: readonly ErrorDetail[]
  /** Response headers that belong to the error, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * What a `SallyportError` is once its status is known, for code that names the status itself: a bundle that makes no
 * other errors goes without the table of all codes. Nothing checks the status: it is from 400 to 599.
 *
 * @example
 * ```ts
 * import { CodedError } from '@sallyport/errors'
 *
 * throw new CodedError(404, 'NOT_FOUND', 'There is no project with this id')
 * ```
 */
export class CodedError extends Error {
  override readonly name = 'SallyportError'
  declare readonly code: ErrorCode | (string & {})
  declare readonly status: number
  declare readonly details?: readonly ErrorDetail[]
  declare readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: ErrorCode | (string & {}),
    message: string,
    options: CodedErrorOptions = {},
  ) {
    super(message, options)
    this.code = code
    this.status = status
    this.headers = options.headers ?? {}
    if (options.details) this.details = options.details
    Object.defineProperty(this, brand, { value: true })
  }
}

/**
 * Whether a value is a `SallyportError`, also one of another copy of this package.
 *
 * Classes differ as soon as two versions are installed side by side; the brand does not.
 */
export function isSallyportError(value: unknown): value is SallyportError {
  return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true
}
