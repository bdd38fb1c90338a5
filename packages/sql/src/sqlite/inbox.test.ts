import { testInbox } from '@sallyport/testing'
import type { CompleteInbox } from '@sallyport/webhooks'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { emptyTables } from '../../test/emptied.ts'
import { encryptions } from '../../test/encryptions.ts'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite, type SqliteDatabase } from './index.ts'

afterAll(removeFiles)

describe.each(encryptions)('$name', ({ encryption, bodies, it: runs }) => {
  let path: string
  let database: SqliteDatabase
  beforeAll(async () => {
    path = await newPath()
    database = await openSqlite({ path, encryption, ...(bodies && { bodies }) })
  })
  afterAll(() => database.close())

  /** Opens the inbox with the threads of another process, which end with the inbox. */
  async function reopen(now: () => number): Promise<CompleteInbox> {
    const other = await openSqlite({ path, encryption, ...(bodies && { bodies }) })
    const inbox = other.inbox({ now })
    return {
      ...inbox,
      async close() {
        await inbox.close()
        await other.close()
      },
    }
  }

  testInbox(
    { describe, expect, it: runs },
    {
      async create(now) {
        await emptyTables(database.kysely)
        return database.inbox({ now })
      },
      reopen: (_, now) => reopen(now),
    },
  )
})
