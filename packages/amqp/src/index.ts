/**
 * RabbitMQ as a bus.
 *
 * @module
 */
export { openAmqp, type Amqp, type AmqpOptions } from './amqp.ts'
export type { AmqpBus, AmqpBusOptions } from './bus.ts'
export type { ConnectionHooks } from './connection.ts'
