/**
 * Creates OpenAPI 3.0.3 documents from routes with zod schemas.
 *
 * Requires the peer dependencies `zod` and `zod-openapi`.
 *
 * @module
 */
export { createDocuments, type DocumentsOptions } from './documents.ts'
export {
  createOpenApiDocument,
  type OpenApiDocument,
  type OpenApiInfo,
  type OpenApiOptions,
  type OpenApiSecurityScheme,
  type OpenApiTag,
} from './document.ts'
