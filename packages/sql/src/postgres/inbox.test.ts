import { describeWith } from '@sallyport/test-services'
import type { Inbox } from '@sallyport/webhooks'
import { testInbox } from '@sallyport/webhooks/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openProcesses } from '../../test/postgres-inbox.ts'

describeWith('postgres', (postgres) => {
  const database = openProcesses(2, postgres)

  testInbox(
    { describe, expect, it },
    {
      async create(now): Promise<Inbox> {
        await sql`truncate deliveries, events, idempotency_keys cascade`.execute(database().kysely)
        await sql`update sequences set value = 0`.execute(database().kysely)
        return database().inbox({ now })
      },
      reopen: (_, now) => database(1).inbox({ now }),
    },
  )
})
