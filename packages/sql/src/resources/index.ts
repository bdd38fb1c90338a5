/**
 * REST resources over rows of your own tables, with ids, versions and times: their tables, schemas and routes.
 *
 * @module
 */
export { id, textField } from '@sallyport/internal/resource-fields'
export { toRetryable } from '../rows/contention.ts'
export { createRepository, type Repository } from '../rows/repository.ts'
export { addRowColumns, type StoredRow } from '../rows/stored-row.ts'
export { rowRules } from './changes.ts'
export { defineResource } from './define-resource.ts'
export type { ResourceCaller } from './options.ts'
export { ownedRoutes } from './owned-routes.ts'
export { resourceRoutes } from './routes.ts'
