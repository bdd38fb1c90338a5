import { resolveListQuery } from './list-query-definition.ts'
import { describeParameters } from './list-query-parameters.ts'
import { parseListQuery } from './list-query-parse.ts'
import type { Filters, FilterValues, ListQuery, ListQueryDefinition, ListQueryOptions } from './list-query.ts'

/**
 * Declares the query parameters of a list: `page`, `limit`, `cursor`, `sort`, `fields`, `search` and filters.
 *
 * Parsing is strict. Numbers are decimal digits and out of bounds is an error, not a correction; a parameter that
 * is unknown or given twice is an error; `page` and `cursor` exclude each other; `?cursor=` starts a walk by
 * cursor. All problems are reported at once.
 *
 * @throws TypeError for a declaration that contradicts itself
 *
 * @example
 * ```ts
 * import { afterFilter, createCursorCodec, defineListQuery, oneOfFilter } from '@sallyport/rest'
 *
 * const cursors = createCursorCodec({ keys: ['a secret of at least thirty-two bytes'] })
 * const users = defineListQuery({
 *   sortable: ['created_at', 'name'],
 *   defaultSort: '-created_at',
 *   fields: ['id', 'name', 'email', 'created_at'],
 *   searchable: 'name',
 *   filterable: { status: oneOfFilter(['active', 'suspended']), createdAfter: afterFilter('created_at') },
 * })
 * const query = users.parse('status=active&sort=name&limit=50', { cursors })
 * query.filters.status // 'active' | 'suspended' | undefined
 * ```
 */
export function defineListQuery<
  const Sort extends string,
  const Field extends string = never,
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- no filters is the empty object, of no key
  const F extends Filters = {},
>(options: ListQueryOptions<Sort, Field, F>): ListQueryDefinition<Sort, Field, FilterValues<F>> {
  const resolved = resolveListQuery(options)
  return {
    pagination: resolved.pagination,
    parameters: describeParameters(resolved),
    // What is parsed is built from this declaration's own names, which the general parser cannot express.
    parse: (input, parseOptions = {}) =>
      parseListQuery(resolved, input, parseOptions) as ListQuery<Sort, Field, FilterValues<F>>,
  }
}
