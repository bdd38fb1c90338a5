import { describeWith } from '@sallyport/test-support/services'
import { testConsumer } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { freshName, readStream, withClient } from '../../test/redis/fresh.ts'
import { openRedis } from './index.ts'

describeWith('redis', (server) => {
  testConsumer(
    { describe, expect, it },
    {
      create() {
        const { url } = server()
        const stream = freshName(server())
        const redis = openRedis({ url })
        return {
          publisher: redis.bus({ stream }),
          publishText: (text) => withClient(url, (client) => client.xadd(stream, '*', 'event', text)),
          createConsumer: (options) => redis.consumer({ ...options, stream }),
          async countDeadLetters(consumer, reason) {
            const stored = await readStream(url, `${stream}:dead:${consumer}`)
            return stored.filter((entry) => entry['reason'] === reason).length
          },
          close: () => redis.close(),
        }
      },
    },
  )
})
