/**
 * RabbitMQ as a publisher.
 *
 * @module
 */
export { openAmqp, type AmqpClient, type AmqpClientOptions } from './amqp.ts'
export type { AmqpBus, AmqpBusOptions } from './bus.ts'
export type { AmqpClientHooks } from './connection.ts'
