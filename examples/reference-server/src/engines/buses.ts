import { amqpBus } from './amqp-bus.ts'
import { cloudEventsBus } from './cloudevents-bus.ts'
import type { BusEngine } from './engine.ts'
import { inngestBus } from './inngest-bus.ts'
import { natsBus } from './nats-bus.ts'
import { redisBus } from './redis-bus.ts'

/** What `BUS_URL` may name, by its scheme; another one is a file of its own and a line here. */
export const buses: Readonly<Record<string, BusEngine>> = {
  'nats:': natsBus,
  'redis:': redisBus,
  'rediss:': redisBus,
  'amqp:': amqpBus,
  'amqps:': amqpBus,
  'inngest+https:': inngestBus,
  'inngest+http:': inngestBus,
  'cloudevents+https:': cloudEventsBus,
  'cloudevents+http:': cloudEventsBus,
}
