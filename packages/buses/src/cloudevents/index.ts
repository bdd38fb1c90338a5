/**
 * A publisher that sends events as CloudEvents over HTTP.
 *
 * @module
 */
export { createCloudEventsPublisher } from './publisher.ts'
export { toCloudEvent } from './cloud-event.ts'
