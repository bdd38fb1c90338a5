import { resolveListQuery, type ResolvedListQuery } from './list-query-definition.ts'
import { parseListQuery } from './list-query-parse.ts'
import type {
  ListFilters,
  ListFilterValues,
  ListQuery,
  ListQueryDefinition,
  ListQueryOptions,
  QueryParameter,
} from './list-query.ts'

/**
 * Declares the query parameters of a list: `page`, `limit`, `cursor`, `sort`, `fields`, `search` and filters.
 *
 * Parsing is strict. Numbers are decimal digits, and a number out of bounds is an error. An unknown or repeated
 * parameter is an error. `page` and `cursor` exclude each other, and `?cursor=` requests the first cursor page. One
 * error reports all problems.
 *
 * @throws TypeError for a contradictory declaration
 *
 * @example
 * ```ts
 * import { createCursorCodec, defineListQuery, listFilter } from '@sallyport/rest'
 *
 * const cursors = createCursorCodec({ keys: ['a secret of at least thirty-two bytes'] })
 * const users = defineListQuery({
 *   sortable: ['created_at', 'name'],
 *   defaultSort: '-created_at',
 *   fields: ['id', 'name', 'email', 'created_at'],
 *   searchable: 'name',
 *   filterable: { status: listFilter.oneOf(['active', 'suspended']), createdAfter: listFilter.after('created_at') },
 * })
 * const query = users.parse('status=active&sort=name&limit=50', { cursors })
 * query.filters.status // 'active' | 'suspended' | undefined
 * ```
 */
export function defineListQuery<
  const Sort extends string,
  const Field extends string = never,
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the default has no keys
  const F extends ListFilters = {},
>(options: ListQueryOptions<Sort, Field, F>): ListQueryDefinition<Sort, Field, ListFilterValues<F>> {
  const resolved = resolveListQuery(options)
  return {
    pagination: resolved.pagination,
    parameters: describeParameters(resolved),
    // The general parser cannot express that the result uses the names of this declaration.
    parse: (input, parseOptions = {}) =>
      parseListQuery(resolved, input, parseOptions) as ListQuery<Sort, Field, ListFilterValues<F>>,
  }
}

/** Describes every parameter of a list. */
function describeParameters(definition: ResolvedListQuery): readonly QueryParameter[] {
  const { pagination, defaultLimit, maxLimit, maxOffset, maxSearchLength, searchable, fields } = definition
  const parameters: QueryParameter[] = []
  if (pagination !== 'cursor') {
    parameters.push({
      name: 'page',
      description: `Page number, starting at 1, the default. page × limit is at most ${maxOffset}.`,
      // Forms prefill the keyword `default`, and a request with a cursor must not have a page.
      schema: { type: 'integer', minimum: 1, maximum: maxOffset },
    })
  }
  parameters.push({
    name: 'limit',
    description: 'Number of items per page.',
    schema: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit },
  })
  if (pagination !== 'offset') {
    const alone = pagination === 'both' ? ' Cannot be combined with page.' : ''
    parameters.push({
      name: 'cursor',
      description: `The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page.${alone}`,
      schema: { type: 'string' },
    })
  }
  if (definition.sortable.size > 0) {
    parameters.push({
      name: 'sort',
      description: `Comma-separated, a leading - for descending: ${[...definition.sortable.keys()].join(', ')}.`,
      schema: {
        type: 'string',
        ...(definition.defaultSortText !== undefined && { default: definition.defaultSortText }),
      },
    })
  }
  if (fields.length > 0) {
    parameters.push({
      name: 'fields',
      description: `Comma-separated names of the fields to return: ${fields.join(', ')}.`,
      schema: { type: 'string' },
    })
  }
  if (searchable.length > 0) {
    parameters.push({
      name: 'search',
      description: `Case-insensitive substring of ${searchable.join(' or ')}.`,
      schema: { type: 'string', maxLength: maxSearchLength },
    })
  }
  for (const [name, { description, schema }] of definition.filters) {
    parameters.push({ name, description: description ?? `Keeps the items that match ${name}.`, schema })
  }
  return parameters
}
