/**
 * The routes of REST resources over rows of `@sallyport/sql/rows`.
 *
 * @module
 */
export { id, idParams, textField } from '@sallyport/internal/resource-fields'
export {
  compare,
  readOnlyProblems,
  requireCaller,
  requireChangeable,
  requireNoProblems,
  requireOwnership,
} from './changes.ts'
export { defineResource } from './define-resource.ts'
export type { ResourceCaller, ResourceContext } from './options.ts'
export { listRoutes } from './list-routes.ts'
export { ownedRoutes } from './owned-routes.ts'
export { resourceRoutes } from './routes.ts'
