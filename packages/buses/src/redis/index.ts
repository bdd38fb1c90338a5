/**
 * Redis as a publisher with consumers, and as a failure limiter that replicas share.
 *
 * @module
 */
export { openRedis } from './redis.ts'
