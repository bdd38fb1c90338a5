/**
 * Amazon EventBridge as a publisher.
 *
 * @module
 */
export type { AwsBus } from '../internal/bus.ts'
export { createEventBridgePublisher } from './publisher.ts'
