/**
 * Destinations over HTTP from declarations in a file. It needs `zod` and `undici`.
 *
 * @module
 */
export { openDestinations } from './open.ts'
