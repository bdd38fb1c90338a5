/**
 * Apache Kafka as a publisher, and its consumers.
 *
 * @module
 */
export type { KafkaBus, KafkaBusOptions, KafkaCompression } from './bus.ts'
export type { KafkaConsumerOptions } from './consumer.ts'
export {
  openKafka,
  type KafkaClient,
  type KafkaClientHooks,
  type KafkaClientOptions,
  type KafkaSasl,
} from './kafka.ts'
