/**
 * A handler with fetch's `Request` and `Response` for a gateway.
 *
 * @module
 */
export { createFetchHandler } from './handler.ts'
