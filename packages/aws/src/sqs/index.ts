/**
 * Amazon SQS as a publisher.
 *
 * @module
 */
export type { AwsBus, AwsBusHooks, AwsBusOptions } from '../internal/bus.ts'
export type { SqsQueue } from './client.ts'
export { sqsPublisher, type SqsPublisherOptions } from './publisher.ts'
