import type { QueueEngine } from './engine.ts'
import { natsQueue } from './nats-queue.ts'
import { redisQueue } from './redis-queue.ts'

/** What `QUEUE_URL` may name, by its scheme; another one is a file of its own and a line here. */
export const queues: Readonly<Record<string, QueueEngine>> = {
  'nats:': natsQueue,
  'redis:': redisQueue,
  'rediss:': redisQueue,
}
