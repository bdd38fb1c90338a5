/**
 * Documents of what a gateway receives, for OpenAPI, and of the events on its bus, as AsyncAPI.
 *
 * @module
 */
export { createAsyncApiDocument, type AsyncApiDocument, type AsyncApiInfo } from './asyncapi.ts'
export { createWebhookPaths } from './openapi.ts'
export type { OpenApiOperation } from './openapi-model.ts'
