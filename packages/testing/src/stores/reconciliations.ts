import type { ReconcileState, ReconciliationStore } from '@sallyport/webhooks/reconcile'
import type { TestRunner } from '@sallyport/webhooks/testing'

const hour = 3_600_000
const lease = { token: 'one', leaseMs: hour }
const state: ReconcileState = { recovered: 3, abandoned: 0, asked: [], cursor: Date.UTC(2026, 0) }
const empty: ReconcileState = { recovered: 0, abandoned: 0, asked: [] }

/** Returns when a lease of 1 ms has ended. */
const wait = () => new Promise((resolve) => setTimeout(resolve, 20))

/**
 * Defines the conformance tests of {@link ReconciliationStore}.
 *
 * @param runner the functions of the test runner
 * @param createStores creates two stores that share empty data, as two processes have them
 */
export function testReconciliationStore(
  { describe, expect, it }: TestRunner,
  createStores: () =>
    | readonly [ReconciliationStore, ReconciliationStore]
    | Promise<readonly [ReconciliationStore, ReconciliationStore]>,
): void {
  describe('a store of reconciliations', () => {
    it('keeps the state of a source until it is due', async () => {
      const [one, other] = await createStores()
      expect(await one.list()).toEqual([])
      expect(await one.claim('github', lease)).toEqual({ state: empty })
      expect(await one.save('github', lease, state)).toBe(true)
      expect(await one.finish('github', 'one', { state, dueMs: hour })).toBe(true)
      const [row, ...others] = await other.list()
      expect(others).toEqual([])
      expect({ ...row, dueMs: Math.ceil((row?.dueMs ?? 0) / hour) }).toEqual({
        name: 'github',
        dueMs: 1,
        state,
      })
      expect(await other.claim('github', lease)).toBe(undefined)
      expect(await other.claim('stripe', lease)).toEqual({ state: empty })
    })

    it('lets one of many processes run a source', async () => {
      const [one, other] = await createStores()
      const claims = Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : other).claim('github', { token: `process ${index}`, leaseMs: hour }),
      )
      expect((await Promise.all(claims)).filter((claimed) => claimed !== undefined).length).toBe(1)
    })

    it('refuses the state of a process that has lost the lease', async () => {
      const [one, other] = await createStores()
      await one.claim('github', { token: 'one', leaseMs: 1 })
      await wait()
      expect(await other.claim('github', { token: 'other', leaseMs: hour })).toEqual({ state: empty })
      expect(await one.save('github', lease, state)).toBe(false)
      expect(await one.finish('github', 'one', { state, dueMs: 0 })).toBe(false)
      expect(await other.save('github', { token: 'other', leaseMs: 1 }, state)).toBe(true)
      await wait()
      expect(await one.claim('github', lease)).toEqual({ state })
    })

    it('makes a requested source due, and keeps a request that arrives during a run', async () => {
      const [one, other] = await createStores()
      await one.claim('github', lease)
      await one.finish('github', 'one', { state, dueMs: hour })
      const first = { id: 'a', since: 5, isDry: true }
      await other.request('github', first)
      expect(await one.claim('github', lease)).toEqual({ state, requested: first })
      const second = { id: 'b', isDry: false }
      await other.request('github', second)
      await one.finish('github', 'one', { state, dueMs: hour, requested: first })
      expect(await one.claim('github', lease)).toEqual({ state, requested: second })
      await one.finish('github', 'one', { state, dueMs: hour, requested: second })
      expect(await one.claim('github', lease)).toBe(undefined)
    })

    it('takes a request for a source that never ran', async () => {
      const [one, other] = await createStores()
      const requested = { id: 'a', isDry: false }
      await one.request('github', requested)
      expect(await other.claim('github', lease)).toEqual({ state: empty, requested })
    })
  })
}
