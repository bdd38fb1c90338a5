/**
 * Amazon SNS as a publisher.
 *
 * @module
 */
export type { AwsBus } from '../internal/bus.ts'
export { createSnsPublisher } from './publisher.ts'
