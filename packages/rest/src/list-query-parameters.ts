import type { ResolvedListQuery } from './list-query-definition.ts'
import type { QueryParameter } from './list-query.ts'

/** Describes every parameter that a list takes. */
export function describeParameters(definition: ResolvedListQuery): readonly QueryParameter[] {
  const { pagination, defaultLimit, maxLimit, maxOffset, maxSearchLength, searchable, fields } = definition
  const parameters: QueryParameter[] = []
  if (pagination !== 'cursor') {
    parameters.push({
      name: 'page',
      description: `Number of the page, from 1. page × limit is at most ${maxOffset}.`,
      schema: { type: 'integer', minimum: 1, maximum: maxOffset, default: 1 },
    })
  }
  parameters.push({
    name: 'limit',
    description: 'Number of items on a page.',
    schema: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit },
  })
  if (pagination !== 'offset') {
    const alone = pagination === 'both' ? ' Not together with page.' : ''
    parameters.push({
      name: 'cursor',
      description: `The nextCursor of the page before, or one out of its links, with the same sort and filters; empty to start.${alone}`,
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
