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
        await sql`delete from destination_counts`.execute(one)
        await sql`delete from managed_destinations`.execute(one)
        return [kyselyDestinationStore(one), kyselyDestinationStore(other)]
      },
    },
  )

  it('reserves on after the clock of the database was set back', async () => {
    const [one] = databases()
    await sql`delete from destinations`.execute(one)
    const store = kyselyDestinationStore(one)
    const rate = { ratePerSecond: 10, count: 10 }
    await store.reserve('a', rate)
    await sql`update destinations set next_at = next_at + 3600000000`.execute(one)
    expect(await store.reserve('a', rate)).toEqual({ count: 10, afterMs: 0 })
    expect((await store.reserve('a', rate)).afterMs).toBeGreaterThan(500)
  })
})
