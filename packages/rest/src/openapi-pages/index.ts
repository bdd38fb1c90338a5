/**
 * Pages of Swagger UI and Redoc that show OpenAPI documents. For Node.js.
 *
 * @module
 */
export { createDocumentPages } from './routes.ts'
