/**
 * The operators' console: a single-page application over the API of `@sallyport/operations`, and the routes that serve it.
 *
 * @module
 */
export { createConsole, createConsoleRoutes, isConsoleBuilt } from './console.ts'
