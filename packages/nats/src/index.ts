/**
 * NATS JetStream as a publisher and as a shared queue.
 *
 * @module
 */
export type { NatsBus, NatsBusOptions } from './bus.ts'
export type { NatsClientHooks } from './connection.ts'
export { openNats, type NatsClient, type NatsClientOptions } from './nats.ts'
export type { NatsQueue, NatsQueueOptions } from './queue.ts'
