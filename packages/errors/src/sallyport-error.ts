import { statusByCode, type ErrorCode } from './codes.ts'

const brand = Symbol.for('@sallyport/errors.SallyportError')

/** One problem with one field of an input. */
export interface ErrorDetail {
  /** Dotted path of the field, such as `items.0.name`; for a query parameter, its name. */
  readonly field: string
  /** What is wrong with it, in words for the caller. */
  readonly message: string
}

export interface SallyportErrorOptions extends ErrorOptions {
  /** The problems of an input, one entry each. */
  readonly details?: readonly ErrorDetail[]
  /** Response headers that belong to the error, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The HTTP status.
   *
   * @default the status of the code in `statusByCode`, or 500 for a code of your own
   */
  readonly status?: number
}

/**
 * An error that may be shown to the caller: a stable code, what is wrong, and what to do about it.
 *
 * Message, details and headers leave the server as they are, so they hold no secret, token, password or body;
 * `cause` stays inside and is for the log.
 *
 * @throws TypeError when the status is none of an error
 *
 * @example
 * ```ts
 * import { SallyportError } from '@sallyport/errors'
 *
 * throw new SallyportError('NOT_FOUND', 'There is no project with this id')
 * ```
 */
export class SallyportError extends Error {
  override readonly name = 'SallyportError'
  readonly code: ErrorCode | (string & {})
  readonly status: number
  readonly details?: readonly ErrorDetail[]
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode | (string & {}), message: string, options: SallyportErrorOptions = {}) {
    super(message, options)
    this.code = code
    const status = options.status ?? (statusByCode as Readonly<Record<string, number>>)[code] ?? 500
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new TypeError(`An error's status is between 400 and 599, not ${status}`)
    }
    this.status = status
    this.headers = options.headers ?? {}
    if (options.details !== undefined) this.details = options.details
    Object.defineProperty(this, brand, { value: true })
  }
}

/**
 * Whether a value is a {@link SallyportError}, also one of another copy of this package.
 *
 * `instanceof` fails as soon as two versions are installed side by side; the brand does not.
 */
export function isSallyportError(value: unknown): value is SallyportError {
  return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true
}
