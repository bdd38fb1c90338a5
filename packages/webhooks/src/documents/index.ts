/**
 * Documents of what a gateway receives, for OpenAPI, and of the events on its bus, as AsyncAPI.
 *
 * @module
 */
export { createAsyncApiDocument } from './asyncapi.ts'
export { createWebhookPaths } from './openapi.ts'
