import type { ApiContext } from './api/api-context.ts'
import { offsetEnvelope, type CursorEnvelope, type ListForm, type OffsetBody } from './envelope.ts'
import { formatCursorLinks, formatOffsetLinks } from './link.ts'
import type { ListQuery } from './list-query.ts'
import { cursorPage, getPageCursors, pickFields, selectRows } from './page.ts'

/** The rows of a page. */
interface ListRows<Row> {
  /** At most `limit` rows of an offset page. A cursor page has one row more if another page follows. */
  readonly rows: readonly Row[]
  /** The number of all rows that match the query. Required for an offset page. */
  readonly total?: number
}

/** Loads the rows for a list query from a store. */
export type LoadList<Row> = (query: ListQuery) => ListRows<Row> | Promise<ListRows<Row>>

export interface AnswerListOptions<Row, Resource, Form extends ListForm> {
  /** Converts a row to its resource. @default the row */
  readonly map?: (row: Row) => Resource
  /** The form of offset pages, as the response declares it. @default 'full' */
  readonly form?: Form
  /** `maxOffset` of the list query. @default 10_000_000 */
  readonly maxOffset?: number
}

/** The result of a handler that lists resources. If `fields` can omit fields, an item is a partial resource. */
export interface ListResult<Resource, Field extends string = never, Form extends ListForm = 'full'> {
  readonly status: 200
  readonly headers: { readonly Link: string }
  readonly body: OffsetBody<Item<Resource, Field>, Form> | CursorEnvelope<Item<Resource, Field>>
}

type Item<Resource, Field> = [Field] extends [never] ? Resource : Partial<Resource>

/**
 * Answers a list query: the page of an array or of a store in its envelope, the `Link` header and the selected `fields`.
 *
 * The rows hold the sort keys under the names that `sort` uses. `createListLoader` of `@sallyport/rest/kysely` loads rows
 * from a database.
 *
 * @throws TypeError for a cursor page without `cursors`, for an offset page without `total`, and for rows without a valid
 *   position
 *
 * @example
 * ```ts
 * import { answerList, createRouteGroup, defineListQuery } from '@sallyport/rest'
 * import { z } from 'zod'
 *
 * const Book = z.object({ id: z.string(), title: z.string() })
 * const query = defineListQuery({ sortable: ['title'], searchable: 'title' })
 * const responses = { 200: { description: 'A page of books', list: Book } }
 * const books = [{ id: '1', title: 'Notes on the Analytical Engine', pages: 66 }]
 * const route = createRouteGroup({ access: 'public' })
 * const listBooks = route.get('/books', { operationId: 'listBooks', query, responses }, ({ query }, context) =>
 *   answerList(query, context, books, { map: ({ id, title }) => ({ id, title }) }),
 * )
 * ```
 */
export async function answerList<
  Row extends object,
  Resource extends object = Row,
  Field extends string = never,
  Form extends ListForm = 'full',
>(
  query: ListQuery<string, Field>,
  { address, cursors }: Pick<ApiContext, 'address' | 'cursors'>,
  load: readonly Row[] | LoadList<Row>,
  { map, form, maxOffset }: AnswerListOptions<Row, Resource, Form> = {},
): Promise<ListResult<Resource, Field, Form>> {
  const { pagination, fields } = query
  const { rows, total } = typeof load === 'function' ? await load(query) : selectRows(load, query)
  // Without map, Resource is Row. Without fields, pickFields returns the whole resource.
  const show = (row: Row) =>
    pickFields(map === undefined ? (row as object as Resource) : map(row), fields) as Item<Resource, Field>
  if (pagination.kind === 'cursor') {
    if (cursors === undefined) throw new TypeError('A cursor page needs cursors: set secrets of the API')
    const Link = formatCursorLinks(address, getPageCursors(rows, query, { cursors }))
    return { status: 200, headers: { Link }, body: cursorPage(rows, query, { cursors, map: show }) }
  }
  if (total === undefined) throw new TypeError('An offset page needs the total: return it from load')
  const position = { page: pagination.page, limit: pagination.limit, total }
  return {
    status: 200,
    headers: {
      Link: formatOffsetLinks(address, { ...position, ...(maxOffset !== undefined && { maxOffset }) }),
    },
    body: offsetEnvelope(rows.map(show), position, form === undefined ? {} : { form }),
  }
}
