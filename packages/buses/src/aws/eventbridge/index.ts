/**
 * Amazon EventBridge as a publisher.
 *
 * @module
 */
export type { AwsBus, AwsBusHooks, AwsBusOptions } from '../internal/bus.ts'
export { eventBridgePublisher, type EventBridgePublisherOptions } from './publisher.ts'
