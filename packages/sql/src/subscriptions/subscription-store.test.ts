import { testStores } from '@sallyport/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { kyselySubscriptionStore } from './subscription-store.ts'

describeDatabases({}, (databases) => {
  testStores(
    { describe, expect, it },
    {
      subscriptions: async () => {
        const [one, other] = databases()
        await sql`delete from subscriptions`.execute(one)
        return [kyselySubscriptionStore(one), kyselySubscriptionStore(other)]
      },
    },
  )
})
