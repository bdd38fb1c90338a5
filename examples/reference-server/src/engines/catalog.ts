import { amqpBus } from './amqp.ts'
import { eventBridgeBus, snsBus, sqsBus } from './aws.ts'
import { cloudEventsBus, inngestBus } from './http-buses.ts'
import type { BusEngine, QueueEngine } from './engine.ts'
import { kafkaBus } from './kafka.ts'
import { natsBus, natsQueue } from './nats.ts'
import { redisBus, redisQueue } from './redis.ts'

/** The buses by the scheme of `BUS_URL`. A new bus is a file in this folder and a line here. */
export const buses: Readonly<Record<string, BusEngine>> = {
  'nats:': natsBus,
  'redis:': redisBus,
  'rediss:': redisBus,
  'amqp:': amqpBus,
  'amqps:': amqpBus,
  'kafka:': kafkaBus,
  'kafkas:': kafkaBus,
  'sqs+https:': sqsBus,
  'sqs+http:': sqsBus,
  'sns:': snsBus,
  'eventbridge:': eventBridgeBus,
  'inngest+https:': inngestBus,
  'inngest+http:': inngestBus,
  'cloudevents+https:': cloudEventsBus,
  'cloudevents+http:': cloudEventsBus,
}

/** The queues of deliveries by the scheme of `INBOUND_QUEUE_URL`. */
export const inboundQueues = { 'sqs+https:': sqsBus, 'sqs+http:': sqsBus }

/** The shared queues by the scheme of `QUEUE_URL`. */
export const queues: Readonly<Record<string, QueueEngine>> = {
  'nats:': natsQueue,
  'redis:': redisQueue,
  'rediss:': redisQueue,
}
