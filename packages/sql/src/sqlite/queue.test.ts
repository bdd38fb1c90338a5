import { testQueue } from '@sallyport/testing'
import type { Queue } from '@sallyport/webhooks'
import { afterAll, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { testQueueDelays } from '../../test/queue-delays.ts'
import { openSqlite, type SqliteQueueOptions } from './index.ts'

afterAll(removeFiles)

const paths = new WeakMap<Queue, string>()

/** A queue that takes its database with it. */
async function open(path: string, options: SqliteQueueOptions): Promise<Queue> {
  const database = await openSqlite({ path })
  const queue = database.queue({ pollMs: 20, ...options })
  const owner: Queue = {
    ...queue,
    async close() {
      await queue.close()
      await database.close()
    },
  }
  paths.set(owner, path)
  return owner
}

testQueue(
  { describe, expect, it },
  {
    create: async (options) => open(await newPath(), options),
    reopen: (queue, options) => open(paths.get(queue) ?? '', options),
  },
)

describe('the queue in a file', () => {
  testQueueDelays(async (options = {}) => {
    const path = await newPath()
    return [await open(path, options), await open(path, options)]
  })
})
