import { testStores } from '@sallyport/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { kyselyDestinationStore } from './destination-store.ts'

describeDatabases({}, (databases) => {
  testStores(
    { describe, expect, it },
    {
      destinations: async () => {
        const [one, other] = databases()
        await sql`delete from destinations`.execute(one)
        return [kyselyDestinationStore(one), kyselyDestinationStore(other)]
      },
    },
  )
})
