import { testStores } from '@sallyport/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { withoutEncryption } from '../../test/plain.ts'
import { kyselyUnprocessedStore } from './unprocessed-store.ts'

describeDatabases({}, (databases) => {
  testStores(
    { describe, expect, it },
    {
      unprocessed: async () => {
        const [database] = databases()
        await sql`delete from unprocessed_deliveries`.execute(database)
        return kyselyUnprocessedStore(database, withoutEncryption(database))
      },
    },
  )
})
