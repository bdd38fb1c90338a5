/**
 * The key of the delay, in milliseconds, in an error of a transactional handler that made no attempt: the event is due again
 * after the delay, and its attempts stay.
 */
export const postponedMs: unique symbol = Symbol.for('@sallyport/webhooks.postponedMs') as never
