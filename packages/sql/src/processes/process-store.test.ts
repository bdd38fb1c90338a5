import { testStores } from '@sallyport/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { kyselyProcessStore } from './process-store.ts'

describeDatabases({}, (databases) => {
  testStores(
    { describe, expect, it },
    {
      processes: async () => {
        const [one, other] = databases()
        await sql`delete from processes`.execute(one)
        return [kyselyProcessStore(one), kyselyProcessStore(other)]
      },
    },
  )
})
