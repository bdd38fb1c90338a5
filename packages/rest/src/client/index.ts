/**
 * A client of an API, typed by the type of the API.
 *
 * @module
 */
export { createClient, type Client } from './client.ts'
export { ClientError } from './client-error.ts'
export type { ClientFailure, StreamEvent } from './types.ts'
