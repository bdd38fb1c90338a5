import { type EventLease, type TransactionalHandler } from '@sallyport/webhooks'
import { prepareStep, runStep, type Prepare } from './prepare.ts'

/**
 * Runs work in a transaction that rolls back when the work rejects. `settle` settles the event as done under its lease, and
 * resolves to whether the lease was valid.
 */
export type RunTransaction<Tx> = (
  work: (transaction: Tx, settle: (lease: EventLease) => Promise<boolean>) => Promise<void>,
) => Promise<void>

/** Creates a handler whose step and the settlement of its event are one transaction. */
export function createTransactionalHandler<Event, Tx>(
  prepare: Prepare<Event, Tx>,
  run: RunTransaction<Tx>,
): TransactionalHandler<Event> {
  const handle = async (event: Event, signal: AbortSignal, lease: EventLease): Promise<boolean> => {
    const step = await prepareStep(prepare, event, signal)
    const state = { isLost: false }
    try {
      await run(async (transaction, settle) => {
        await runStep(step, transaction, signal)
        state.isLost = !(await settle(lease))
        if (state.isLost) throw new Error('Another attempt has the lease of the event')
      })
      return true
    } catch (error) {
      if (state.isLost) return false
      throw error
    }
  }
  const refuse = () =>
    Promise.reject(
      new TypeError('A transactional handler needs createWebhooks({ on }), which leases its events'),
    )
  return Object.assign(refuse, { runInTransaction: handle })
}
