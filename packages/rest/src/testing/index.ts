/**
 * Tests of an API: a client in process, and requests that are made from its document. `checkRoutes` needs `fast-check`.
 *
 * @module
 */
export { createTestClient } from './create-test-client.ts'
export { checkRoutes, type CheckRoutesOptions } from './check-routes.ts'
