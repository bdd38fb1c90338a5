/**
 * Destinations over HTTP: services in any language that receive deliveries as they came, or events.
 *
 * @module
 */
export { createHttpDestination, type HttpDestination } from './destination.ts'
export type { EventDestinationOptions, OriginalDestinationOptions } from './options.ts'
