/**
 * RabbitMQ as a publisher.
 *
 * @module
 */
export { openAmqp } from './amqp.ts'
