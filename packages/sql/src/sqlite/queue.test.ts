import { testQueue } from '@sallyport/testing'
import type { Queue } from '@sallyport/webhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyTables } from '../../test/emptied.ts'
import { newPath, removeFiles } from '../../test/files.ts'
import { testQueueDelays } from '../../test/queue-delays.ts'
import { openSqlite, type SqliteDatabase, type SqliteQueueOptions } from './index.ts'

let path: string
/** The databases of two processes on one file. */
const databases: SqliteDatabase[] = []
beforeAll(async () => {
  path = await newPath()
  for (let count = 0; count < 2; count++) databases.push(await openSqlite({ path }))
})
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()))
  await removeFiles()
})

function getDatabase(index: number): SqliteDatabase {
  const database = databases[index]
  if (database === undefined) throw new Error('Ask for a database within a test')
  return database
}

async function create(options: SqliteQueueOptions): Promise<Queue> {
  await emptyTables(getDatabase(0).kysely)
  return getDatabase(0).queue({ pollMs: 20, ...options })
}

const reopen = (options: SqliteQueueOptions): Queue => getDatabase(1).queue({ pollMs: 20, ...options })

testQueue({ describe, expect, it }, { create, reopen: (_, options) => reopen(options) })

describe('the queue in a file', () => {
  testQueueDelays(async (options = {}) => [await create(options), reopen(options)])
})
