/**
 * NATS JetStream as a publisher with consumers.
 *
 * @module
 */
export type { NatsBus, NatsBusOptions } from './bus.ts'
export type { NatsConsumerOptions } from './consumer.ts'
export type { NatsClientHooks } from './connection.ts'
export type { NatsAuthentication } from './authentication.ts'
export {
  openNats,
  type NatsClient,
  type NatsClientOptions,
  type NatsConnectionOptions,
  type NatsServerOptions,
} from './nats.ts'
