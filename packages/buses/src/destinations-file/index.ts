/**
 * Destinations over HTTP from declarations in a file. It needs `zod` and `undici`.
 *
 * @module
 */
export { openDestinations, type OpenDestinationsOptions, type OpenedDestinations } from './open.ts'
export { destinationSchema, type DestinationDeclaration } from './schema.ts'
