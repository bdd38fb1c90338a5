/**
 * The OpenAPI 3.0.3 document of declared routes, from their zod schemas.
 *
 * Needs the peers `zod` and `zod-openapi`.
 *
 * @module
 */
export {
  createOpenApiDocument,
  type OpenApiDocument,
  type OpenApiInfo,
  type OpenApiOptions,
  type OpenApiSecurityScheme,
  type OpenApiTag,
} from './document.ts'
