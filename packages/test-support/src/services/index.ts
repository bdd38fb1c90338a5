/**
 * Suites that need a running service or another program. They run against the real service, or are skipped with a
 * message. The package also has a proxy for tests of outages, and a NATS server that a test can kill.
 *
 * @module
 */
export type { AwsTestServer } from './aws.ts'
export { elasticmqServers, openElasticmqServer, type ElasticmqServer } from './elasticmq-server.ts'
export { makeCertificate, openssl, type Certificate } from './certificate.ts'
export { describeNeeding, type Requirement } from './describe-needing.ts'
export type { KafkaTestServer } from './kafka.ts'
export { kafkaBrokers, openKafkaCluster, type KafkaCluster } from './kafka-broker.ts'
export type { NatsTestServer } from './nats.ts'
export { natsServers, openNatsServer, type NatsServer } from './nats-server.ts'
export { describeWith, type ConnectionTo, type ServiceName } from './describe-with.ts'
export type { PostgresDatabase } from './postgres.ts'
export type { RabbitmqTestServer } from './rabbitmq.ts'
export type { RedisTestServer } from './redis.ts'
export { openStripeMock, stripeMocks, type StripeMock } from './stripe-mock.ts'
export { openProxy } from './proxy.ts'
export { unusedPort } from './unused-port.ts'
