import type { ProcessReport, ProcessStore } from '@sallyport/webhooks/processes'
import type { TestRunner } from '@sallyport/webhooks/testing'

const report: ProcessReport = {
  id: 'e2d1a1f0-5a3f-4a43-9f6e-0f5d7c1a2b3c',
  roles: ['dispatcher', 'gateway'],
  version: '1.2.0',
  host: 'worker-1',
  pid: 4711,
  startedAt: Date.UTC(2026, 0),
  dependencies: [{ name: 'bus', kind: 'bus', status: 'unavailable', code: 'ECONNREFUSED', detail: 'Down' }],
  notices: ['The clock is wrong'],
}

const minute = 60_000

/**
 * Defines the conformance tests of {@link ProcessStore}.
 *
 * @param runner the functions of the test runner
 * @param createStores creates two stores that share empty data, as two processes have them
 */
export function testProcessStore(
  { describe, expect, it }: TestRunner,
  createStores: () => readonly [ProcessStore, ProcessStore] | Promise<readonly [ProcessStore, ProcessStore]>,
): void {
  describe('a store of processes', () => {
    it('shows a process to the others with its last heartbeat', async () => {
      const [one, other] = await createStores()
      await one.save({ ...report, dependencies: [], version: undefined }, minute)
      await one.save(report, minute)
      const states = await other.list()
      const seenAt = states[0]?.seenAt ?? 0
      expect(states).toEqual([{ ...report, seenAt, isDead: false }])
      expect(Math.abs(seenAt - Date.now()) < minute).toBe(true)
    })

    it('lists processes by host and start', async () => {
      const [one, other] = await createStores()
      await one.save({ ...report, id: 'c', host: 'worker-2' }, minute)
      await one.save({ ...report, id: 'b', startedAt: report.startedAt + 1 }, minute)
      await other.save({ ...report, id: 'a' }, minute)
      expect((await one.list()).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    })

    it('calls a process dead whose next heartbeat is overdue', async () => {
      const [one, other] = await createStores()
      await one.save(report, 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect((await other.list()).map(({ isDead }) => isDead)).toEqual([true])
      await one.save(report, minute)
      expect((await other.list()).map(({ isDead }) => isDead)).toEqual([false])
    })

    it('forgets a process that stops', async () => {
      const [one, other] = await createStores()
      await one.save(report, minute)
      await one.remove(report.id)
      expect(await other.list()).toEqual([])
    })

    it('forgets a dead process after ten minutes if another one has its roles', async () => {
      const [one, other] = await createStores()
      await one.save({ ...report, id: 'dead' }, -11 * minute)
      await one.save({ ...report, id: 'recent' }, -9 * minute)
      await one.save({ ...report, id: 'only', roles: ['drainer'] }, -11 * minute)
      await other.save({ ...report, id: 'alive' }, minute)
      expect((await one.list()).map(({ id }) => id).sort()).toEqual(['alive', 'only', 'recent'])
    })

    it('forgets every dead process after a day', async () => {
      const [one, other] = await createStores()
      await one.save(report, -25 * 60 * minute)
      await other.save({ ...report, id: 'alive', roles: ['api'] }, minute)
      expect((await one.list()).map(({ id }) => id)).toEqual(['alive'])
    })
  })
}
