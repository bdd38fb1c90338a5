/**
 * The operations API of `@sallyport/webhooks`: find, inspect, replay and erase deliveries.
 *
 * @module
 */
export type { GetAccess, GetOperator, Operator, Permission, Scope } from './access.ts'
export type { AuditAction } from './audit/record-action.ts'
export type { LoadCatalogue } from './catalogue/routes.ts'
export { createDataref } from './deliveries/event-data.ts'
export { createOperations, type OperationsOptions } from './operations.ts'
export type { ManagedKeys } from './keys/routes.ts'
export { createOperationsRoutes, type OperatedWebhooks, type OperationsRoutesOptions } from './routes.ts'
export type { DependencyState, GetHealth, Health } from './traffic/status.ts'
export type { StreamsOptions } from './streams/streams.ts'
