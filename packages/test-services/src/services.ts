import { nats } from './nats.ts'
import { postgres } from './postgres.ts'
import { rabbitmq } from './rabbitmq.ts'
import { redis } from './redis.ts'
import type { Service } from './service.ts'

/** Every service that a suite can ask for; another one is a file of its own and a line here. */
export const services = { nats, postgres, rabbitmq, redis } satisfies Record<string, Service<unknown>>

export type ServiceName = keyof typeof services

/** What a suite with a service is given. */
export type ConnectionTo<Name extends ServiceName> =
  (typeof services)[Name] extends Service<infer Connection> ? Connection : never
