/**
 * Amazon SNS as a publisher.
 *
 * @module
 */
export type { AwsBus, AwsBusHooks, AwsBusOptions } from '../internal/bus.ts'
export { snsPublisher, type SnsPublisherOptions } from './publisher.ts'
