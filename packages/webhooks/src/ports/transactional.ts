import type { HeldLease } from './inbox.ts'

/** The key of the method with which a runner of handlers calls a transactional handler. */
export const inTransaction: unique symbol = Symbol.for('@sallyport/webhooks.inTransaction') as never

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

/** The lease under which an event is settled, and the id of the event. */
export type EventLease = HeldLease & { readonly id: string }

/**
 * A handler that settles its event in the transaction of its own writes: a crash leaves both or neither.
 *
 * `database.transactional` of `@sallyport/sql` creates it for `createWebhooks({ on })`. A call without a lease rejects.
 */
export interface TransactionalHandler<Event> {
  (event: Event, signal: AbortSignal): Promise<never>
  /**
   * Resolves to whether the transaction is committed with the event as done: false for a lost lease. Rejects with the error of
   * the handler. The transaction is rolled back in both cases.
   */
  readonly [inTransaction]: (event: Event, signal: AbortSignal, lease: EventLease) => Promise<boolean>
}

/** Whether a handler settles its event itself. */
export const isTransactional = (handler: object): handler is TransactionalHandler<never> =>
  inTransaction in handler
