/**
 * CloudEvents over HTTP as the bus of a webhook gateway.
 *
 * @module
 */
export { cloudEventsPublisher, type CloudEventsPublisherOptions } from './publisher.ts'
export { toCloudEvent } from './cloud-event.ts'
