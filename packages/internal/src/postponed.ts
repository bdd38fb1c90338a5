/**
 * The key of the delay, in milliseconds, in an error of a transactional handler that made no attempt: the event is due again
 * after the delay, and its attempts stay.
 */
export const postponedMs: unique symbol = Symbol.for('@sallyport/webhooks.postponedMs') as never

/** Returns the delay that an error without an attempt asks for, in milliseconds; undefined for the error of an attempt. */
export const readPostponed = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && postponedMs in error
    ? (error as { readonly [postponedMs]: number })[postponedMs]
    : undefined
