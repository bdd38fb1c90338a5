import { testInbox } from '@sallyport/testing'
import type { CompleteInbox } from '@sallyport/webhooks'
import { afterAll, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite, type SqliteDatabase } from './index.ts'

afterAll(removeFiles)

const paths = new WeakMap<CompleteInbox, string>()

async function openInbox(path: string, now: () => number): Promise<CompleteInbox> {
  const database = await openSqlite({ path })
  const inbox = getOwner(database, now)
  paths.set(inbox, path)
  return inbox
}

/** The suite closes inboxes: this one takes its database with it. */
function getOwner(database: SqliteDatabase, now: () => number): CompleteInbox {
  const inbox = database.inbox({ now })
  return {
    ...inbox,
    async close() {
      await inbox.close()
      await database.close()
    },
  }
}

testInbox(
  { describe, expect, it },
  {
    create: async (now) => openInbox(await newPath(), now),
    reopen: (inbox, now) => openInbox(paths.get(inbox) ?? '', now),
  },
)
