import type { Filter } from './filters.ts'
import type { ListQueryOptions, PaginationMode } from './list-query.ts'
import { invalidInput, type InvalidInputOptions } from './invalid.ts'
import { integerOption } from './options.ts'
import { defaultMaxOffset } from './page-bound.ts'
import { defaultBounds, type QueryBounds } from './query-string.ts'
import type { SortableField, SortKey } from './sort.ts'

/** A list query's declaration with every default applied and every contradiction refused. */
export interface ResolvedListQuery {
  readonly id: string
  readonly sortable: ReadonlyMap<string, SortableField>
  readonly defaultSort: readonly SortKey[]
  readonly defaultSortText: string | undefined
  readonly filters: ReadonlyMap<string, Filter>
  readonly searchable: readonly string[]
  readonly fields: readonly string[]
  readonly pagination: PaginationMode
  readonly defaultLimit: number
  readonly maxLimit: number
  readonly maxOffset: number
  readonly maxSearchLength: number
  readonly invalid: InvalidInputOptions
  readonly bounds: Required<QueryBounds>
}

const reserved = new Set(['page', 'limit', 'cursor', 'sort', 'fields', 'search'])

export function resolveListQuery(options: ListQueryOptions): ResolvedListQuery {
  const {
    id = 'id',
    defaultLimit = 20,
    maxLimit = 100,
    maxOffset = defaultMaxOffset,
    maxSearchLength = 200,
    maxQueryLength = defaultBounds.maxQueryLength,
    maxParameters = defaultBounds.maxParameters,
  } = options
  const sortable = sortableFields(options.sortable)
  const { searchable = [], filterable = {}, fields = [] } = options
  const limits = { defaultLimit, maxLimit, maxOffset, maxSearchLength, maxQueryLength, maxParameters }
  for (const [name, value] of Object.entries(limits)) integerOption(name, value, 1)
  if (defaultLimit > maxLimit) throw new TypeError('defaultLimit is larger than maxLimit')
  if (maxLimit > maxOffset) throw new TypeError('maxLimit is larger than maxOffset')
  if (sortable.get(id)?.nullable === true) throw new TypeError('The unique key cannot be nullable')
  // A text would take any part of it for a field.
  if (!isNames(fields)) throw new TypeError('fields must be an array of names')
  if (new Set(fields).size !== fields.length) throw new TypeError('fields names a field twice')
  for (const name of [...sortable.keys(), ...fields]) {
    if (!/^[A-Za-z_][A-Za-z0-9_.]*$/.test(name)) throw new TypeError(`${name} is no name of a field`)
  }
  for (const name of Object.keys(filterable)) {
    if (reserved.has(name)) throw new TypeError(`The parameter ${name} has a meaning of its own`)
  }

  // Throws for a status that is none of an error: here, and not at the first query that is invalid.
  invalidInput('', [], options.invalid)

  const { defaultSort } = options
  const { keys, problem } = readSort(defaultSort ?? id, { id, sortable: new Map([...sortable, [id, {}]]) })
  if (problem !== undefined) throw new TypeError(`defaultSort: ${problem}`)
  return {
    id,
    sortable,
    defaultSort: keys,
    defaultSortText: defaultSort,
    filters: new Map(Object.entries(filterable)),
    searchable: typeof searchable === 'string' ? [searchable] : searchable,
    fields,
    pagination: options.pagination ?? 'both',
    defaultLimit,
    maxLimit,
    maxOffset,
    maxSearchLength,
    invalid: options.invalid ?? {},
    bounds: { maxQueryLength, maxParameters },
  }
}

function sortableFields(sortable: ListQueryOptions['sortable']): Map<string, SortableField> {
  if (!isNames(sortable)) return new Map(Object.entries(sortable))
  const names = sortable
  if (new Set(names).size !== names.length) throw new TypeError('sortable names a field twice')
  return new Map(names.map((name) => [name, {}]))
}

/** `Array.isArray` does not tell a readonly array from an object. */
function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value)
}

/** Reads `name,-created_at` into a complete order, or says what is wrong with it. */
export function readSort(
  text: string,
  { id, sortable }: Pick<ResolvedListQuery, 'id' | 'sortable'>,
): { readonly keys: readonly SortKey[]; readonly problem?: string } {
  const choices = `Use ${[...sortable.keys()].join(', ')}, each once, with a leading - for descending`
  const keys: SortKey[] = []
  for (const part of text.split(',', sortable.size + 1)) {
    const field = part.startsWith('-') ? part.slice(1) : part
    const declared = sortable.get(field)
    if (declared === undefined || keys.some((key) => key.field === field))
      return { keys: [], problem: choices }
    const direction = part.startsWith('-') ? 'desc' : 'asc'
    keys.push({ field, direction, nullable: declared.nullable ?? false, nulls: declared.nulls ?? 'last' })
  }
  // What follows a unique key decides nothing.
  const unique = keys.findIndex((key) => key.field === id)
  if (unique !== -1) return { keys: keys.slice(0, unique + 1) }
  // In the direction of the key before it, so that one index on both can be read either way.
  const direction = keys.at(-1)?.direction ?? 'asc'
  return { keys: [...keys, { field: id, direction, nullable: false, nulls: 'last' }] }
}
