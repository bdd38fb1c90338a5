/**
 * A handler with fetch's `Request` and `Response` for a gateway.
 *
 * @module
 */
export { createFetchHandler, type FetchHandlerOptions } from './handler.ts'
