import type { ListFilter } from './filters.ts'
import type { ListQueryOptions, PaginationMode } from './list-query.ts'
import { invalidInput, type InvalidInputOptions } from './validate.ts'
import { integerOption } from './options.ts'
import { defaultMaxOffset } from './page.ts'
import { defaultQueryLimits, type QueryLimits } from './query-string.ts'
import type { SortableField, SortKey } from './sort.ts'

/** The declaration of a list query with defaults applied and contradictions rejected. */
export interface ResolvedListQuery {
  readonly id: string
  readonly sortable: ReadonlyMap<string, SortableField>
  readonly defaultSort: readonly SortKey[]
  readonly defaultSortText: string | undefined
  readonly filters: ReadonlyMap<string, ListFilter>
  readonly searchable: readonly string[]
  readonly fields: readonly string[]
  readonly pagination: PaginationMode
  readonly defaultLimit: number
  readonly maxLimit: number
  readonly maxOffset: number
  readonly maxSearchLength: number
  readonly invalid: InvalidInputOptions
  readonly queryLimits: Required<QueryLimits>
}

const reserved = new Set(['page', 'limit', 'cursor', 'sort', 'fields', 'search'])

export function resolveListQuery(options: ListQueryOptions): ResolvedListQuery {
  const {
    id = 'id',
    defaultLimit = 20,
    maxLimit = 100,
    maxOffset = defaultMaxOffset,
    maxSearchLength = 200,
    maxQueryLength = defaultQueryLimits.maxQueryLength,
    maxParameters = defaultQueryLimits.maxParameters,
  } = options
  const sortable = sortableFields(options.sortable)
  const { searchable = [], filterable = {}, fields = [] } = options
  const limits = { defaultLimit, maxLimit, maxOffset, maxSearchLength, maxQueryLength, maxParameters }
  for (const [name, value] of Object.entries(limits)) integerOption(name, value, 1)
  if (defaultLimit > maxLimit) throw new TypeError('defaultLimit must not be larger than maxLimit')
  if (maxLimit > maxOffset) throw new TypeError('maxLimit must not be larger than maxOffset')
  if (sortable.get(id)?.nullable === true) throw new TypeError('The unique key must not be nullable')
  // A string would pass `includes` for each of its substrings.
  if (!isNames(fields)) throw new TypeError('fields must be an array of names')
  if (new Set(fields).size !== fields.length) throw new TypeError('fields names a field twice')
  for (const name of [...sortable.keys(), ...fields]) {
    if (!/^[A-Za-z_][A-Za-z0-9_.]*$/.test(name)) throw new TypeError(`${name} is not a valid field name`)
  }
  for (const name of Object.keys(filterable)) {
    if (reserved.has(name)) throw new TypeError(`The parameter name ${name} is reserved`)
  }

  // Throws for an invalid error status at declaration rather than at the first invalid query.
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
    queryLimits: { maxQueryLength, maxParameters },
  }
}

function sortableFields(sortable: ListQueryOptions['sortable']): Map<string, SortableField> {
  if (!isNames(sortable)) return new Map(Object.entries(sortable))
  const names = sortable
  if (new Set(names).size !== names.length) throw new TypeError('sortable names a field twice')
  return new Map(names.map((name) => [name, {}]))
}

/** `Array.isArray` alone does not narrow a readonly array. */
function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value)
}

/** Parses `name,-created_at` into sort keys that end in the unique key, or returns the problem. */
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
  // Keys after the unique key have no effect.
  const unique = keys.findIndex((key) => key.field === id)
  if (unique !== -1) return { keys: keys.slice(0, unique + 1) }
  // The direction of the previous key lets one index on both serve both directions.
  const direction = keys.at(-1)?.direction ?? 'asc'
  return { keys: [...keys, { field: id, direction, nullable: false, nulls: 'last' }] }
}
