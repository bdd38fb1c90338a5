/**
 * Redis as a publisher with consumers, and as a failure limiter that replicas share.
 *
 * @module
 */
export type { RedisBus, RedisBusOptions } from './bus.ts'
export type { RedisConsumerOptions } from './consumer.ts'
export type { RedisClientHooks } from './connection.ts'
export type { RedisFailureLimiterOptions } from './failure-limiter.ts'
export {
  openRedis,
  type RedisClient,
  type RedisClientOptions,
  type RedisExistingClientOptions,
  type RedisServerOptions,
} from './redis.ts'
