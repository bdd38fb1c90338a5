/**
 * Consumers of events on a bus. The packages of the buses create them; `createConsumer` adds a consumer for another bus.
 *
 * @module
 */
export { createConsumer, type Consumer, type ConsumerOptions } from './consumer.ts'
export { decodeEvent } from './decode-event.ts'
export type { ConsumerSource, DeferredFailure, ReceivedMessage } from './source.ts'
export type {
  ConsumerDeadLetter,
  ConsumerQuery,
  ConsumerRetry,
  ConsumerState,
  ConsumerStore,
} from './store.ts'
