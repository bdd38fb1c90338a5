/**
 * Redis as a publisher with consumers, and as a failure limiter that replicas share.
 *
 * @module
 */
export { openRedis, type RedisClient, type RedisClientOptions } from './redis.ts'
