import { amqpBus } from './amqp-bus.ts'
import { cloudEventsBus } from './cloudevents-bus.ts'
import type { BusEngine } from './engine.ts'
import { inngestBus } from './inngest-bus.ts'
import { natsBus } from './nats.ts'
import { redisBus } from './redis.ts'

/** The buses by the scheme of `BUS_URL`. To add a bus, add a file to this folder and a line here. */
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
