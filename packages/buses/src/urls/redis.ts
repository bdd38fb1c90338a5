import { errorHook, limitOf, type BusEngine, type QueueEngine } from './bus-url.ts'

/** The bus on a stream of Redis, with the shared failure counts. */
export const redisBus: BusEngine = {
  form: 'redis://host:6379/0',
  clients: ['ioredis', 'bullmq', 'rate-limiter-flexible'],
  accepts: isRedisAddress,
  async open(url, options) {
    const { openRedis } = await import('../redis/index.ts')
    const redis = openRedis({ url, ...options })
    const publisher = redis.bus({ stream: parseName(url), ...limitOf(options) })
    const limiter = redis.failureLimiter({ prefix: `${parseName(url)}:failures` })
    return { publisher, limiter, ping: () => publisher.ping(), close: () => redis.close() }
  },
}

/** The shared queue on BullMQ, with the shared failure counts. One address may name the bus and the queue. */
export const redisQueue: QueueEngine = {
  form: 'redis://host:6379/0',
  clients: ['ioredis', 'bullmq', 'rate-limiter-flexible'],
  accepts: isRedisAddress,
  async open(url, options) {
    const { openRedis } = await import('../redis/index.ts')
    const redis = openRedis({ url, ...options })
    const queue = redis.queue({ name: `${parseName(url)}-queue`, ...errorHook(options), ...limitOf(options) })
    const limiter = redis.failureLimiter({ prefix: `${parseName(url)}:failures` })
    return { queue, limiter, ping: () => queue.ping(), close: () => redis.close() }
  },
}

/** Names that are valid in a key, in BullMQ and in an address. */
const plainName = /^[A-Za-z0-9_-]{1,200}$/

/** `redis://host:6379[/DB][?name=NAME]`. */
function isRedisAddress({ hostname, pathname, search, searchParams, hash }: URL): boolean {
  const isNamed = search === '' || (searchParams.size === 1 && plainName.test(searchParams.get('name') ?? ''))
  return hostname !== '' && /^\/?\d{0,9}$/.test(pathname) && isNamed && hash === ''
}

/** Returns the prefix of all keys. Independent servers on one Redis need different prefixes. */
function parseName(url: string): string {
  return new URL(url).searchParams.get('name') ?? 'sallyport'
}
