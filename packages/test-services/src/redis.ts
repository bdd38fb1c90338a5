import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Service } from './service.ts'

/** A server of Redis, and a name that nothing else uses there. */
export interface RedisConnection {
  /** `redis://…` */
  readonly url: string
  /** What is in the names of the suite's keys; those that hold it are deleted at its end. */
  readonly name: string
}

const serverUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** Redis at `TEST_REDIS_URL`. */
export const redis: Service<RedisConnection> = {
  title: 'Redis',
  hint: 'start redis-server on 127.0.0.1:6379, or set TEST_REDIS_URL',

  async probe() {
    await onServer((client) => client.ping())
  },

  open() {
    const name = `sallyport-test-${randomBytes(8).toString('hex')}`
    return Promise.resolve({
      connection: { url: serverUrl, name },
      close: () =>
        onServer(async (client) => {
          for await (const keys of client.scanStream({ match: `*${name}*`, count: 1000 })) {
            const found = keys as string[]
            if (found.length > 0) await client.unlink(found)
          }
        }),
    })
  },
}

async function onServer(act: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(serverUrl, {
    ...{ lazyConnect: true, connectTimeout: 3000, maxRetriesPerRequest: 0 },
    retryStrategy: () => null,
  })
  let reason: unknown
  client.on('error', (error: unknown) => {
    reason = error
  })
  try {
    await client.connect().catch((error: unknown) => {
      throw reason ?? error
    })
    await act(client)
  } finally {
    client.disconnect()
  }
}
