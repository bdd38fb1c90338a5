/**
 * Amazon EventBridge as a publisher.
 *
 * @module
 */
export type { AwsBus } from '../internal/bus.ts'
export { eventBridgePublisher } from './publisher.ts'
