/**
 * The routes of REST resources over rows of `@sallyport/sql/rows`.
 *
 * @module
 */
export { createBodies, createPatchSchema } from './bodies.ts'
export {
  compare,
  ownedRows,
  readOnlyProblems,
  requireCaller,
  requireChangeable,
  requireNoProblems,
  requireOwnership,
} from './changes.ts'
export { belonging, id, identity, idParams, textField, times } from './fields.ts'
export type {
  CollectionOptions,
  CreateOptions,
  ItemOptions,
  ResourceCaller,
  ResourceContext,
  StoreResponse,
} from './options.ts'
export { listRoutes } from './list-routes.ts'
export { resourceRoutes } from './routes.ts'
export type { Review } from './review.ts'
