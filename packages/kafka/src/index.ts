/**
 * Apache Kafka as a publisher.
 *
 * @module
 */
export type { KafkaBus, KafkaBusOptions, KafkaCompression } from './bus.ts'
export {
  openKafka,
  type KafkaClient,
  type KafkaClientHooks,
  type KafkaClientOptions,
  type KafkaSasl,
} from './kafka.ts'
