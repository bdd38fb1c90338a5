/**
 * The operations API of `@sallyport/webhooks`: find, inspect, replay and erase deliveries.
 *
 * @module
 */
export type { Operator } from './access.ts'
export { createDataref } from './deliveries/event-data.ts'
export { createOperations, type OperationsOptions } from './operations.ts'
export { createOperationsRoutes } from './routes.ts'
export type { Health } from './traffic/status.ts'
