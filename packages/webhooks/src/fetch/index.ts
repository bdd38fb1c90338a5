/**
 * The gateway as a handler of fetch's `Request` and `Response`.
 *
 * @module
 */
export { createFetchHandler, type FetchHandlerOptions } from './handler.ts'
