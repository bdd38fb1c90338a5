import { CodedError, isSallyportError, type CodedErrorOptions } from './coded-error.ts'
import { statusByCode, type ErrorCode } from './codes.ts'

export interface SallyportErrorOptions extends CodedErrorOptions {
  /**
   * The HTTP status.
   *
   * @default the status of the code in `statusByCode`, or 500 for a code of your own
   */
  readonly status?: number
}

/**
 * An error that the client may see: a stable code, what is wrong and what to do.
 *
 * The message, details and headers are sent to the client unchanged. They must not contain a secret, a token, a password
 * or a body. `cause` is only for the log.
 *
 * @throws TypeError if the status is not an integer from 400 to 599
 *
 * @example
 * ```ts
 * import { SallyportError } from '@sallyport/errors'
 *
 * throw new SallyportError('NOT_FOUND', 'There is no project with this id')
 * ```
 */
export class SallyportError extends CodedError {
  constructor(code: ErrorCode | (string & {}), message: string, options: SallyportErrorOptions = {}) {
    const status = options.status ?? (statusByCode as Readonly<Record<string, number>>)[code] ?? 500
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new TypeError(`An error's status is between 400 and 599, not ${status}`)
    }
    super(status, code, message, options)
  }

  /** Accepts a {@link CodedError} and errors from other copies of this package, as {@link isSallyportError} does. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass uses the default check of the prototype chain.
    return this === SallyportError ? isSallyportError(value) : super[Symbol.hasInstance](value)
  }
}
