/**
 * NATS JetStream as a publisher with consumers.
 *
 * @module
 */
export { openNats } from './nats.ts'
