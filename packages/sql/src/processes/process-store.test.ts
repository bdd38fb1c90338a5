import { testProcessStore } from '@sallyport/testing/processes'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { kyselyProcessStore } from './process-store.ts'

describeDatabases({}, (databases) => {
  testProcessStore({ describe, expect, it }, async () => {
    const [one, other] = databases()
    await sql`delete from processes`.execute(one)
    return [kyselyProcessStore(one), kyselyProcessStore(other)]
  })
})
