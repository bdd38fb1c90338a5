/**
 * Suites that need a running service, or something else that a machine may lack: they run against the real thing, or
 * are skipped so that nobody overlooks it. And a proxy, behind which a service goes away and comes back, and a server
 * of NATS that can be killed.
 *
 * @module
 */
export { describeNeeding, type Requirement } from './describe-needing.ts'
export { describeWith } from './describe-with.ts'
export type { NatsConnection } from './nats.ts'
export { natsServers, openNatsServer, type NatsServer } from './nats-server.ts'
export type { PostgresConnection } from './postgres.ts'
export type { RabbitmqConnection } from './rabbitmq.ts'
export type { RedisConnection } from './redis.ts'
export type { ConnectionTo, ServiceName } from './services.ts'
export { openProxy } from './proxy.ts'
export { unusedPort } from './unused-port.ts'
