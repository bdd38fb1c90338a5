import { testUnprocessedStore } from '@sallyport/testing/unprocessed'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { kyselyUnprocessedStore } from './unprocessed-store.ts'

describeDatabases({}, (databases) => {
  testUnprocessedStore({ describe, expect, it }, async () => {
    const [database] = databases()
    await sql`delete from unprocessed_deliveries`.execute(database)
    return kyselyUnprocessedStore(database)
  })
})
