/**
 * Liveness and readiness of an API, for Kubernetes and load balancers.
 *
 * @module
 */
export { createHealthRoutes } from './routes.ts'
export { checkReadiness, type Dependency } from './readiness.ts'
