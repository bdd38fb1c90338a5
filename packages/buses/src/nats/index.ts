/**
 * NATS JetStream as a publisher with consumers.
 *
 * @module
 */
export type { NatsBusOptions } from './bus.ts'
export { openNats, type NatsClient, type NatsClientOptions, type NatsServerOptions } from './nats.ts'
