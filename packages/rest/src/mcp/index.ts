/**
 * Routes as tools of assistants, by the Model Context Protocol.
 *
 * @module
 */
export { createMcpRoute, type McpRouteOptions } from './route.ts'
