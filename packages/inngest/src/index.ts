/**
 * Inngest as the bus of a webhook gateway: a publisher on its event API.
 *
 * @module
 */
export { inngestPublisher, type InngestPublisherOptions } from './publisher.ts'
