import { testStores } from '@sallyport/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { kyselyAuditLog } from './audit-log.ts'

describeDatabases({}, (databases) => {
  testStores(
    { describe, expect, it },
    {
      audit: async (options) => {
        await sql`delete from audit_entries`.execute(databases()[0])
        return kyselyAuditLog(databases()[0], options)
      },
    },
  )

  it('shows the entries of another process', async () => {
    const [one, other] = databases().map((database) => kyselyAuditLog(database))
    await one!.record({ actor: { id: 'ann' }, action: 'key.delete', target: 'k-shared' })
    expect(await other!.count({ target: 'k-shared' })).toBe(1)
  })
})
