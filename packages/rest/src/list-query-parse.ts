import type { ErrorDetail } from '@sallyport/errors'
import { isCursorForm, pack } from './cursor.ts'
import type { ValidationCode } from './issue-details.ts'
import { invalidInput } from './validate.ts'
import { keysetAfter, type CursorAnchor } from './keyset.ts'
import { readSort, type ResolvedListQuery } from './list-query-definition.ts'
import type { CursorPagination, ListQuery, OffsetPagination, ParseListQueryOptions } from './list-query.ts'
import { lastReadablePage } from './page.ts'
import { andPredicates, orPredicates, type Predicate } from './predicate.ts'
import { parseQueryString, shorten } from './query-string.ts'
import type { Scalar } from './scalar.ts'
import { reverseSort, type SortKey } from './sort.ts'

/** The state of one parse: the declaration, the parameters and a callback for problems. */
interface Parse {
  readonly definition: ResolvedListQuery
  readonly values: ReadonlyMap<string, string>
  readonly refuse: (field: string, code: ValidationCode | (string & {}), message: string) => void
}

export function parseListQuery(
  definition: ResolvedListQuery,
  input: string | URLSearchParams,
  options: ParseListQueryOptions,
): ListQuery {
  const { values, problems } = parseQueryString(input, definition.queryLimits)
  const details: ErrorDetail[] = [...problems]
  const refuse: Parse['refuse'] = (field, code, message) => {
    // The first problem of a parameter explains the others.
    if (!details.some((detail) => detail.field === field)) details.push({ code, field, in: 'query', message })
  }
  const parse: Parse = { definition, values, refuse }

  refuseUnknown(parse)
  const sort = parseSort(parse)
  const fields = parseFields(parse)
  const search = parseSearch(parse)
  const filters = parseFilters(parse)
  const pagination = parsePagination(parse, options, { sort, filters: filters.values, search })
  if (details.length > 0) throw invalidInput('The query is not valid', details, definition.invalid)

  const conditions = [...filters.predicates, ...searchPredicates(definition, search)]
  return {
    pagination,
    sort,
    filters: Object.fromEntries(filters.values),
    where: andPredicates(...conditions),
    ...(fields !== undefined && { fields }),
    ...(search !== undefined && { search }),
  }
}

function refuseUnknown({ definition, values, refuse }: Parse): void {
  const { pagination, sortable, fields, searchable, filters } = definition
  const known = new Set([
    'limit',
    ...(pagination === 'cursor' ? [] : ['page']),
    ...(pagination === 'offset' ? [] : ['cursor']),
    ...(sortable.size > 0 ? ['sort'] : []),
    ...(fields.length > 0 ? ['fields'] : []),
    ...(searchable.length > 0 ? ['search'] : []),
    ...filters.keys(),
  ])
  for (const name of values.keys()) {
    if (!known.has(name)) refuse(shorten(name), 'UNKNOWN', `Unknown parameter. Use ${[...known].join(', ')}`)
  }
}

function parseSort({ definition, values, refuse }: Parse): readonly SortKey[] {
  const text = values.get('sort')
  if (text === undefined) return definition.defaultSort
  const { keys, problem } = readSort(text, definition)
  if (problem !== undefined) refuse('sort', 'NOT_ONE_OF', problem)
  return keys
}

function parseFields({ definition, values, refuse }: Parse): readonly string[] | undefined {
  const text = values.get('fields')
  if (text === undefined) return undefined
  const named = text.split(',', definition.fields.length + 1)
  const valid = named.every(
    (name, index) => definition.fields.includes(name) && named.indexOf(name) === index,
  )
  if (!valid) refuse('fields', 'NOT_ONE_OF', `Use ${definition.fields.join(', ')}, each once`)
  return named
}

function parseSearch({ definition, values, refuse }: Parse): string | undefined {
  const text = values.get('search')
  if (text === undefined || text === '') return undefined
  const { maxSearchLength } = definition
  if (Array.from(text).length > maxSearchLength)
    refuse('search', 'TOO_LONG', `Must be at most ${maxSearchLength} characters`)
  return text
}

function searchPredicates({ searchable }: ResolvedListQuery, search: string | undefined): Predicate[] {
  if (search === undefined) return []
  return [orPredicates(...searchable.map((field): Predicate => ({ op: 'contains', field, value: search })))]
}

function parseFilters({ definition, values, refuse }: Parse) {
  const read = new Map<string, Scalar>()
  const predicates: Predicate[] = []
  for (const [name, filter] of definition.filters) {
    const text = values.get(name)
    if (text === undefined) continue
    const result = filter.read(text)
    if ('problem' in result) {
      refuse(name, result.code ?? 'INVALID', result.problem)
    } else {
      read.set(name, result.value)
      predicates.push(filter.predicate(result.value, name))
    }
  }
  return { values: read, predicates }
}

interface QueryState {
  readonly sort: readonly SortKey[]
  readonly filters: ReadonlyMap<string, Scalar>
  readonly search: string | undefined
}

const needsCursors =
  'A list query with cursor pages needs cursors: pass a codec to parse or readRequest, or declare offset pages'

function parsePagination(
  { definition, values, refuse }: Parse,
  { cursors, scope = '' }: ParseListQueryOptions,
  state: QueryState,
): OffsetPagination | CursorPagination {
  const { pagination, defaultLimit, maxLimit, maxOffset } = definition
  if (pagination !== 'offset' && cursors === undefined) throw new TypeError(needsCursors)
  const readInteger = (name: 'limit' | 'page', fallback: number, maximum = Number.POSITIVE_INFINITY) => {
    const text = values.get(name)
    if (text === undefined) return fallback
    const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
    if (value >= 1 && value <= maximum) return value
    const code = Number.isNaN(value) ? 'WRONG_TYPE' : value < 1 ? 'TOO_SMALL' : 'TOO_LARGE'
    const bounds = maximum === Number.POSITIVE_INFINITY ? 'of at least 1' : `from 1 to ${maximum}`
    refuse(name, code, `Must be an integer ${bounds}`)
    return fallback
  }
  const limit = readInteger('limit', defaultLimit, maxLimit)

  const cursor = values.get('cursor') ?? (pagination === 'cursor' ? '' : undefined)
  if (pagination === 'offset' || cursors === undefined || cursor === undefined) {
    const page = readInteger('page', 1)
    if (page > lastReadablePage(limit, maxOffset)) {
      const instead = pagination === 'both' ? '; use cursor, which has no such limit' : ''
      refuse('page', 'TOO_LARGE', `page × limit must be at most ${maxOffset}${instead}`)
    }
    return { kind: 'offset', page, limit, offset: (page - 1) * limit }
  }

  if (pagination === 'both' && values.has('page'))
    refuse('page', 'CONFLICTING', 'Cannot be combined with cursor')
  const binding = formatBinding(scope, state)
  const { sort } = state
  const decoded = cursor === '' ? start : cursors.decode(cursor, binding)
  const usable =
    decoded !== undefined && (!('position' in decoded) || decoded.position.length === sort.length)
  // Under an invalid sort only a malformed cursor is reported: a well-formed one may fit the intended sort.
  if (!usable && (sort.length > 0 || !isCursorForm(cursor))) {
    const problem = 'Not a cursor of this list with this sort and these filters; start with an empty cursor'
    refuse('cursor', 'INVALID_CURSOR', problem)
  }
  const anchor = usable ? decoded : start
  return {
    kind: 'cursor',
    limit,
    anchor,
    ahead: getAheadPredicate(anchor, sort),
    binding,
  }
}

const start: CursorAnchor = { at: 'start' }

/** The predicate for the rows ahead of an anchor, in reading direction. */
function getAheadPredicate(anchor: CursorAnchor, sort: readonly SortKey[]): Predicate {
  if (!('position' in anchor)) return andPredicates()
  return keysetAfter(anchor.at === 'after' ? sort : reverseSort(sort), anchor.position)
}

/** Identifies everything that decides which rows a list holds and in which order. */
function formatBinding(scope: string, { sort, filters, search }: QueryState): string {
  const named = [...filters].map(([name, value]) => [name, pack(value)] as const)
  const keys = sort.map(({ field, direction, nulls }) => [field, direction, nulls])
  return JSON.stringify([scope, keys, named, search ?? null])
}
