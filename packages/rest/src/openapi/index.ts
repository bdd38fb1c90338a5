/**
 * Creates OpenAPI 3.0, 3.1 and 3.2 documents from routes.
 *
 * The schemas of the routes need the Standard JSON Schema interface, which zod from 4.2 and arktype from 2.1.28 have.
 *
 * @module
 */
export { createDocuments } from './documents.ts'
export { createOpenApiDocument } from './document.ts'
export type { OpenApiDocument, OpenApiTag } from './document-model.ts'
export type { OpenApiWebhook } from './webhooks.ts'
export type { ErrorExamples } from './error-examples.ts'
