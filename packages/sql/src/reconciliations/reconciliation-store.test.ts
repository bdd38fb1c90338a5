import { testStores } from '@sallyport/testing'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { kyselyReconciliationStore } from './reconciliation-store.ts'

describeDatabases({}, (databases) => {
  testStores(
    { describe, expect, it },
    {
      reconciliations: async () => {
        const [one, other] = databases()
        await sql`delete from reconciliations`.execute(one)
        return [kyselyReconciliationStore(one), kyselyReconciliationStore(other)]
      },
    },
  )

  it('keeps a lease from a process whose clock is ahead', async () => {
    const [one, other] = databases()
    await sql`delete from reconciliations`.execute(one)
    const lease = { token: 'one', leaseMs: 3_600_000 }
    await kyselyReconciliationStore(one).claim('github', lease)
    const ahead = Date.now() + 2 * lease.leaseMs
    const clock = vi.spyOn(Date, 'now').mockReturnValue(ahead)
    onTestFinished(() => {
      clock.mockRestore()
    })
    const claimed = await kyselyReconciliationStore(other).claim('github', { ...lease, token: 'other' })
    expect(claimed).toBeUndefined()
  })
})
