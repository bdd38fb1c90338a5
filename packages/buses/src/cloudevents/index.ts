/**
 * A publisher that sends events as CloudEvents over HTTP.
 *
 * @module
 */
export { createCloudEventsPublisher, type CloudEventsPublisherOptions } from './publisher.ts'
export { toCloudEvent } from './cloud-event.ts'
