/**
 * Destinations over HTTP from declarations in a file. It needs `zod` and `undici`.
 *
 * @module
 */
export { createDeclaredDestination } from './create.ts'
export { followDestinations } from './follow.ts'
export { createDestinationOpener, type OpenedDestinations } from './open.ts'
