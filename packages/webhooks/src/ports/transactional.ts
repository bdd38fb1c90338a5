import type { HeldLease } from './inbox.ts'

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
  readonly runInTransaction: (event: Event, signal: AbortSignal, lease: EventLease) => Promise<boolean>
}

/** Whether a handler settles its event itself. */
export const isTransactional = (handler: object): handler is TransactionalHandler<never> =>
  'runInTransaction' in handler
