/**
 * RabbitMQ as a publisher.
 *
 * @module
 */
export { openAmqp, type AmqpClient, type AmqpClientOptions } from './amqp.ts'
