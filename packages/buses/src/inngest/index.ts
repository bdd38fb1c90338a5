/**
 * A publisher that sends events to the event API of Inngest.
 *
 * @module
 */
export { createInngestPublisher } from './publisher.ts'
