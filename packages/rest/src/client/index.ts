/**
 * A client of an API, typed by the type of the API.
 *
 * @module
 */
export { createClient, ListError, type Client, type ClientOptions } from './client.ts'
export type { ClientFailure, RequestOptions } from './types.ts'
