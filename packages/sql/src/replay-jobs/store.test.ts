import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testReplayJobs } from '@sallyport/test-support/webhooks'
import { describeWith } from '@sallyport/test-support/services'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../postgres/index.ts'
import { openSqlite } from '../sqlite/index.ts'

describe('on SQLite', () => {
  testReplayJobs({ describe, expect, it }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'replay-jobs-'))
    const database = await openSqlite({ path: join(folder, 'inbox.db') })
    return {
      inbox: database.inbox(),
      store: database.replayJobs(),
      async close() {
        await database.close()
        await rm(folder, { recursive: true })
      },
    }
  })
})

describeWith('postgres', (postgres) => {
  testReplayJobs({ describe, expect, it }, async () => {
    const database = await openPostgres({ ...postgres(), schema: `jobs "${randomUUID()}"` })
    await database.migrate()
    return { inbox: database.inbox(), store: database.replayJobs(), close: () => database.close() }
  })
})
