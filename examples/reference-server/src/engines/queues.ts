import type { QueueEngine } from './engine.ts'
import { natsQueue } from './nats.ts'
import { redisQueue } from './redis.ts'

/** The shared queues by the scheme of `QUEUE_URL`. To add a queue, add a file to this folder and a line here. */
export const queues: Readonly<Record<string, QueueEngine>> = {
  'nats:': natsQueue,
  'redis:': redisQueue,
  'rediss:': redisQueue,
}
