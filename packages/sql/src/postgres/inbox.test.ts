import { describeWith } from '@sallyport/test-support/services'
import { testInbox } from '@sallyport/testing'
import type { CompleteInbox } from '@sallyport/webhooks'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { encryptions } from '../../test/encryptions.ts'
import { openProcesses } from '../../test/postgres-inbox.ts'

describeWith('postgres', (postgres) => {
  describe.each(encryptions)('$name', ({ name: kind, encryption, bodies, it: runs }) => {
    // Outside of the search path, so that every statement has to name it.
    const schema = `a separate "schema" ${kind}`
    const database = openProcesses(2, () => ({
      ...postgres(),
      schema,
      encryption,
      ...(bodies && { bodies }),
    }))

    testInbox(
      { describe, expect, it: runs },
      {
        async create(now): Promise<CompleteInbox> {
          const table = (name: string) => sql.id(schema, name)
          await sql`truncate ${sql.join(['deliveries', 'events', 'idempotency_keys', 'lanes', 'notification_batches'].map(table))} cascade`.execute(
            database().kysely,
          )
          await sql`update ${table('sequences')} set value = 0`.execute(database().kysely)
          return database().inbox({ now })
        },
        reopen: (_, now) => database(1).inbox({ now }),
      },
    )
  })
})
