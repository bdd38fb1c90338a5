import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Service } from './service.ts'

/** A Redis server and a name that is unique to the suite. */
export interface RedisTestServer {
  /** `redis://…` */
  readonly url: string
  /** A part of the suite's keys. All keys that contain it are deleted after the suite. */
  readonly name: string
}

const serverUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** Redis at `TEST_REDIS_URL`. */
export const redis: Service<RedisTestServer> = {
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
