/**
 * Redis as a bus, as a shared queue, and as the count of failures that replicas share.
 *
 * @module
 */
export type { RedisBus, RedisBusOptions } from './bus.ts'
export type { ConnectionHooks } from './connection.ts'
export type { RedisFailureLimiterOptions } from './failure-limiter.ts'
export type { RedisQueue, RedisQueueOptions } from './queue.ts'
export { openRedis, type Redis, type RedisOptions } from './redis.ts'
