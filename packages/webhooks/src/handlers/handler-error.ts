import type { Failure } from '../dispatch/outcome.ts'
import { toFailure } from '../dispatch/outcome.ts'

const brand = Symbol.for('@sallyport/webhooks.HandlerError')

export interface HandlerErrorOptions extends ErrorOptions {
  /** The shortest delay before the next attempt, in milliseconds; limited by the longest delay of the back-off. */
  readonly retryAfterMs?: number
  /** Whether the event is handled again. Otherwise it is a dead letter at once. @default true */
  readonly retryable?: boolean
}

/**
 * An error of a handler with a text for operators: the text is stored with the event, and shown as it is. Of every other
 * error, only the name and the code are stored. The text has up to 500 characters, and no control characters.
 *
 * @example
 * ```ts
 * import { HandlerError } from '@sallyport/webhooks'
 *
 * throw new HandlerError('The order was deleted', { retryable: false })
 * ```
 */
export class HandlerError extends Error {
  override readonly name = 'HandlerError'
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(message: string, { retryable = true, retryAfterMs, ...options }: HandlerErrorOptions = {}) {
    super(message, options)
    this.retryable = retryable
    this.retryAfterMs = retryAfterMs
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Converts an error of a handler: a {@link HandlerError}, alone or as a cause, decides what is stored and when to retry. */
export function toHandlerFailure(error: unknown): Failure {
  const failure = toFailure(error)
  try {
    const found = findHandlerError(error)
    if (found === undefined) return failure
    return { ...failure, ...toFailure(found), error: toText(found.message), retryable: found.retryable }
  } catch {
    // A getter of the error throws.
    return failure
  }
}

const maxCauses = 10

/** Finds the brand in an error or its causes. The brand also matches errors from another copy of the package. */
function findHandlerError(error: unknown): HandlerError | undefined {
  let current = error
  for (let depth = 0; depth <= maxCauses && typeof current === 'object' && current !== null; depth++) {
    if (isHandlerError(current)) return current
    current = (current as { cause?: unknown }).cause
  }
  return undefined
}

const isHandlerError = (value: object): value is HandlerError => brand in value

const maxText = 500

/** Controls, and characters that change the direction of the text around them. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

function toText(message: string): string {
  const text = message.slice(0, maxText).toWellFormed().replace(unprintable, ' ').trim()
  return text === '' ? 'HandlerError' : text
}
