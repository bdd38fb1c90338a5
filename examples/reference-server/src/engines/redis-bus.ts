import type { BusEngine } from './engine.ts'
import { isRedisAddress, nameOf } from './redis-address.ts'

/** A stream of Redis, and the failures of addresses. */
export const redisBus: BusEngine = {
  form: 'redis://host:6379/0',
  accepts: isRedisAddress,
  async open(url, surroundings) {
    const { openRedis } = await import('@sallyport/redis')
    const redis = openRedis({ url, ...surroundings })
    const publisher = redis.bus({ stream: nameOf(url) })
    const limiter = redis.failureLimiter({ prefix: `${nameOf(url)}:failures` })
    return { publisher, limiter, ping: () => publisher.ping(), close: () => redis.close() }
  },
}
