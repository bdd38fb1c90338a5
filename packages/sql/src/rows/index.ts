/**
 * Rows of your own tables with ids, versions and times, for REST resources: find, list, insert, change and remove.
 *
 * @module
 */
export { toRetryable } from './contention.ts'
export { createRepository, type Repository } from './repository.ts'
export { createRowSearch, type RowSearch } from './row-queries.ts'
export { addRowColumns, type StoredRow } from './stored-row.ts'
