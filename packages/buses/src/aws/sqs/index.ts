/**
 * Amazon SQS as a publisher of events, and as a source of deliveries.
 *
 * @module
 */
export type { AwsBus, AwsBusHooks, AwsBusOptions } from '../internal/bus.ts'
export type { RefusedMessage } from '../internal/deliver.ts'
export type { SqsQueue } from './client.ts'
export { createSqsHost, type SqsHost, type SqsHostOptions } from './host.ts'
export { sqsPublisher, type SqsPublisherOptions } from './publisher.ts'
