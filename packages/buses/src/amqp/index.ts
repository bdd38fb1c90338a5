/**
 * RabbitMQ as a publisher.
 *
 * @module
 */
export {
  openAmqp,
  type AmqpClient,
  type AmqpClientOptions,
  type AmqpConnectionOptions,
  type AmqpServerOptions,
} from './amqp.ts'
export type { AmqpBus, AmqpBusOptions } from './bus.ts'
export type { AmqpConsumerOptions } from './consumer.ts'
export type { AmqpClientHooks } from './connection.ts'
