import type { QueueEngine } from './engine.ts'
import { isRedisAddress, nameOf } from './redis-address.ts'

/** BullMQ on Redis, and the failures of addresses: one address serves the bus too. */
export const redisQueue: QueueEngine = {
  form: 'redis://host:6379/0',
  accepts: isRedisAddress,
  async open(url, { onUnreadable: onError, ...surroundings }) {
    const { openRedis } = await import('@sallyport/redis')
    const redis = openRedis({ url, ...surroundings })
    const queue = redis.queue({ name: `${nameOf(url)}-queue`, onError })
    const limiter = redis.failureLimiter({ prefix: `${nameOf(url)}:failures` })
    return { queue, limiter, ping: () => queue.ping(), close: () => redis.close() }
  },
}
