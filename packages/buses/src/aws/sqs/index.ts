/**
 * Amazon SQS as a publisher of events, and as a source of deliveries.
 *
 * @module
 */
export type { AwsBus } from '../internal/bus.ts'
export { createSqsHost, type SqsHost } from './host.ts'
export { createSqsPublisher } from './publisher.ts'
