/**
 * Rows of your own tables with ids, versions and times, for REST resources: find, list, insert, change and remove.
 *
 * @module
 */
export {
  createContentionError,
  retryOnContention,
  toRetryable,
  type ContentionOptions,
} from './contention.ts'
export {
  createRepository,
  type InTransaction,
  type Repository,
  type RepositoryOptions,
  type RowPage,
} from './repository.ts'
export { createRowSearch, type RowSearch, type RowSearchOptions } from './row-queries.ts'
export { addRowColumns, type StoredRow } from './stored-row.ts'
export { isUniqueViolation } from './violations.ts'
