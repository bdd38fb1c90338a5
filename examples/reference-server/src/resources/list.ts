import {
  formatCursorLinks,
  cursorPage,
  offsetEnvelope,
  formatOffsetLinks,
  getPageCursors,
  pickFields,
  type CursorCodec,
  type CursorEnvelope,
  type ListQuery,
  type OffsetEnvelope,
} from '@sallyport/rest'
import type { Page } from '../database/repository.ts'
import type { RequestContext } from '../http/context.ts'

export interface ListAnswer<Resource> {
  readonly status: 200
  readonly headers: { readonly Link: string }
  readonly body: OffsetEnvelope<Partial<Resource>> | CursorEnvelope<Partial<Resource>>
}

/** Creates the response to a list query from its rows. */
export function answerList<Row extends object, Resource extends object>(
  { rows, total }: Page<Row>,
  query: ListQuery,
  { address }: RequestContext,
  { cursors, show }: { readonly cursors: CursorCodec; readonly show: (row: Row) => Resource },
): ListAnswer<Resource> {
  const { pagination, fields } = query
  const map = (row: Row) => pickFields(show(row), fields)
  if (pagination.kind === 'cursor') {
    const links = formatCursorLinks(address, getPageCursors(rows, query, { cursors }))
    return { status: 200, headers: { Link: links }, body: cursorPage(rows, query, { cursors, map }) }
  }
  const position = { page: pagination.page, limit: pagination.limit, total }
  return {
    status: 200,
    headers: { Link: formatOffsetLinks(address, position) },
    body: offsetEnvelope(rows.map(map), position),
  }
}
