/**
 * List queries and predicates on SQL databases, through kysely.
 *
 * @module
 */
export { applyListQuery, createListLoader, toExpression, type SqlListOptions } from './list-query.ts'
