import { createCursors } from '@sallyport/reference-server/src/config/derived-keys.ts'
import { createLog } from '@sallyport/reference-server/src/logging/log.ts'
import { openResources } from '@sallyport/reference-server/src/resources/open-resources.ts'
import { openStorage } from '@sallyport/reference-server/src/database/storage.ts'
import type { Tables } from '@sallyport/reference-server/src/database/tables.ts'
import type { RequestContext } from '@sallyport/sql/accounts'
import type { CursorEnvelope } from '@sallyport/rest'
import { getCursorPosition } from '../../../rest/src/keyset.ts'
import type { Kysely } from 'kysely'
import { readValidConfig } from './environment.ts'

/** The list of users of the server's route, without HTTP. */
export interface UserList {
  readonly db: Kysely<Tables>
  /** Returns the response to a query string. */
  readonly answer: (query: string) => Promise<CursorEnvelope<{ readonly id: string }>>
  /** Returns the cursor after a row, counted from 1, in the order of a query string. */
  readonly cursorAfter: (row: number, query: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** Migrates the database of an environment and opens its list of users. */
export async function openUserList(environment: Readonly<Record<string, string>>): Promise<UserList> {
  const config = readValidConfig(environment)
  const log = createLog('silent', { write: () => undefined })
  const storage = await openStorage(config.settings, log)
  const cursors = createCursors(config.jwtSecrets)
  const resources = await openResources({ config, storage, log })
  const binding = resources.api.routes.find(({ route }) => route.operationId === 'listUsers')
  if (binding === undefined) throw new Error('The server has no list of users')
  const { route, handler } = binding

  const list = route.query
  if (list === undefined || !('parse' in list)) throw new Error('The route has no list query')
  const read = (query: string) => list.parse(query, { cursors })
  const context: RequestContext = {
    requestId: 'bench',
    address: { url: '/api/v1/users', query: '' },
    path: '/users',
    mountPath: '/api/v1',
    clientNetwork: '127.0.0.1',
    header: () => undefined,
    signal: new AbortController().signal,
    runAfter: () => undefined,
    conditions: { method: 'GET', ifMatch: undefined, ifNoneMatch: undefined },
    cursors,
    showRateLimit: () => undefined,
    identify: () => Promise.resolve(undefined),
    dispatch: () => Promise.reject(new Error('unused')),
    isStillAllowed: () => Promise.resolve(true),
  }
  return {
    db: storage.db,
    async answer(query) {
      const rest = { params: {}, headers: undefined, cookies: undefined, body: undefined }
      const { body } = await handler({ ...rest, query: read(query) as never }, context)
      return body as CursorEnvelope<{ readonly id: string }>
    },
    async cursorAfter(row, query) {
      const { sort, pagination } = read(`${query}&cursor=`)
      if (pagination.kind !== 'cursor') throw new Error('The list of users has no cursors')
      const rows = sort.reduce(
        (select, { field, direction }) => select.orderBy(field as 'id', direction),
        storage.db.selectFrom('users').selectAll(),
      )
      const last = await rows
        .offset(row - 1)
        .limit(1)
        .executeTakeFirstOrThrow()
      return cursors.encode({ at: 'after', position: getCursorPosition(last, sort) }, pagination.binding)
    },
    close: () => storage.close(),
  }
}
