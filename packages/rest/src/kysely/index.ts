/**
 * List queries and predicates on SQL databases, through kysely.
 *
 * @module
 */
export { applyListQuery, createListLoader, toExpression } from './list-query.ts'
