import type { ErrorCode } from './codes.ts'
import type { SallyportError } from './sallyport-error.ts'

// All copies of the package share the symbol. `instanceof` is false for an error of another copy, whose 404 would become a 500.
const brand = Symbol.for('@sallyport/errors.SallyportError')

/** The part of a request that a detail is about. */
export type DetailLocation = 'path' | 'query' | 'header' | 'cookie' | 'body'

/** One problem with one field of an input. */
export interface ErrorDetail {
  /** Upper-case code of the problem for programs, such as `REQUIRED`. */
  readonly code?: string
  /** Dotted path of the field, such as `items.0.name`; for a query parameter, its name. */
  readonly field: string
  readonly in?: DetailLocation
  /** What is wrong with the field, in words for the caller. */
  readonly message: string
}

export interface CodedErrorOptions extends ErrorOptions {
  /** The problems of the input, one entry per problem. */
  readonly details?: readonly ErrorDetail[]
  /** Response headers that belong to the error, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A `SallyportError` with an explicit status. Code that throws only `CodedError` does not pull the table of all codes
 * into its bundle. The constructor does not check that the status is between 400 and 599.
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

/** Checks whether a value is a `SallyportError`, including an error from another installed copy of this package. */
export function isSallyportError(value: unknown): value is SallyportError {
  return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true
}
