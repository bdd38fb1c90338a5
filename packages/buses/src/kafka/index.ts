/**
 * Apache Kafka as a publisher, and its consumers.
 *
 * @module
 */
export type { KafkaBus } from './bus.ts'
export { openKafka } from './kafka.ts'
