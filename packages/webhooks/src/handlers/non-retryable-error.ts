const brand = Symbol.for('@sallyport/webhooks.NonRetryableError')

/**
 * What a handler throws when trying again would change nothing: the event becomes a dead letter at once.
 *
 * @example
 * ```ts
 * import { NonRetryableError } from '@sallyport/webhooks'
 *
 * throw new NonRetryableError('The order was deleted')
 * ```
 */
export class NonRetryableError extends Error {
  override readonly name = 'NonRetryableError'
  readonly code = 'NON_RETRYABLE'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    Object.defineProperty(this, brand, { value: true })
  }
}

const deepestCause = 10

/** Whether an error, or one that it wraps as its `cause`, is final; by brand, so that copies of the package agree. */
export function isNonRetryable(error: unknown): boolean {
  let one = error
  try {
    for (let depth = 0; depth <= deepestCause && typeof one === 'object' && one !== null; depth++) {
      if (brand in one) return true
      one = (one as { cause?: unknown }).cause
    }
  } catch {
    // What cannot be asked has not said that it is final.
  }
  return false
}
