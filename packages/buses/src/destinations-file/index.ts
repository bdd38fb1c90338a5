/**
 * Destinations over HTTP from declarations in a file. It needs `zod` and `undici`.
 *
 * @module
 */
export { createDeclaredDestination, type DeclaredDestinationOptions } from './create.ts'
export { destinationSchema, type DestinationDeclaration } from './schema.ts'
