/**
 * Liveness and readiness of an API, for Kubernetes and load balancers.
 *
 * @module
 */
export { createHealthRoutes } from './routes.ts'
export { createLastOutcome, toCode, type Judge, type LastOutcome } from './last-outcome.ts'
export { checkReadiness, findFailure, type Dependency } from './readiness.ts'
