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
export class SallyportError extends CodedError {
  constructor(code: ErrorCode | (string & {}), message: string, options: SallyportErrorOptions = {}) {
    const status = options.status ?? (statusByCode as Readonly<Record<string, number>>)[code] ?? 500
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new TypeError(`An error's status is between 400 and 599, not ${status}`)
    }
    super(status, code, message, options)
  }

  /** Errors that the kit makes without the table are of this class too, as {@link isSallyportError} has it. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass asks for its own.
    return this === SallyportError ? isSallyportError(value) : super[Symbol.hasInstance](value)
  }
}
