import { testStores } from '@sallyport/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
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
})
