/**
 * NATS JetStream as a bus and as a shared queue.
 *
 * @module
 */
export type { NatsBus, NatsBusOptions } from './bus.ts'
export type { ConnectionHooks } from './connection.ts'
export { openNats, type Nats, type NatsOptions } from './nats.ts'
export type { NatsQueue, NatsQueueOptions } from './queue.ts'
