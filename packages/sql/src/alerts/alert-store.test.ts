import { testStores } from '@sallyport/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { kyselyAlertStore } from './alert-store.ts'

describeDatabases({}, (databases) => {
  testStores(
    { describe, expect, it },
    {
      alerts: async () => {
        const [one, other] = databases()
        await sql`delete from alert_states`.execute(one)
        return [kyselyAlertStore(one), kyselyAlertStore(other)]
      },
    },
  )
})
