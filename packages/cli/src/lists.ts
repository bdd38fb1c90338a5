import { z } from 'zod'
import { requestApi, type ApiOptions } from './api.ts'
import { printableJson, type Io } from './io.ts'
import { formatTable, omitEmpty } from './table.ts'
import { printOrWatch, type WatchOptions } from './watch.ts'

export interface ListOptions extends ApiOptions, WatchOptions {
  /** The largest number of results. @default 20 */
  readonly limit?: string
  readonly provider?: string
  readonly endpoint?: string
  readonly status?: string
  readonly labels?: string
  /** Further query parameters. @default none */
  readonly query?: Readonly<Record<string, string>>
}

type Row = Readonly<Record<string, unknown>>

/** A list of the API, and the columns of its table. The last column is never cut. */
interface ListDescription {
  readonly paths: readonly string[]
  readonly columns: readonly (readonly [title: string, value: (row: Row) => unknown])[]
}

const field = (title: string, name: string) => [title, (row: Row) => row[name]] as const

export const endpointsList: ListDescription = {
  paths: ['/endpoints'],
  columns: [
    field('provider', 'provider'),
    field('name', 'name'),
    field('status', 'status'),
    field('url', 'url'),
    field('id', 'id'),
  ],
}

export const unprocessedList: ListDescription = {
  paths: ['/unprocessed-deliveries'],
  columns: [
    field('received', 'created_at'),
    field('outcome', 'outcome'),
    field('provider', 'provider'),
    ['endpoint', ({ endpoint_name: name, endpoint }) => name ?? endpoint],
    field('kind', 'kind'),
    field('reason', 'reason'),
    field('http', 'status'),
    field('id', 'id'),
  ],
}

export const auditList: ListDescription = {
  paths: ['/audit'],
  columns: [
    field('time', 'created_at'),
    ['actor', ({ actor_name: name, actor_id: id }) => name ?? id],
    field('action', 'action'),
    ['detail', ({ detail }) => JSON.stringify(detail)],
    field('target', 'target'),
  ],
}

export const keysList: ListDescription = {
  paths: ['/keys'],
  columns: [
    field('name', 'name'),
    ['scopes', ({ scopes }) => (Array.isArray(scopes) ? scopes.join(' ') : '')],
    field('expires', 'expires_at'),
    field('last used', 'last_used_at'),
    field('id', 'id'),
  ],
}

export const consumersList: ListDescription = {
  paths: ['/consumers'],
  columns: [
    field('name', 'name'),
    field('pending', 'pending'),
    field('failing', 'failing'),
    field('dead', 'dead_letters'),
    field('oldest', 'oldest_pending_at'),
    field('process', 'process'),
    field('last error', 'last_error'),
  ],
}

/** The webhooks that the server registers at services. */
export const subscriptionsList: ListDescription = {
  paths: ['/subscriptions'],
  columns: [
    field('id', 'id'),
    field('service', 'service'),
    ['endpoint', ({ endpoint_name: name, endpoint }) => name ?? endpoint],
    field('state', 'state'),
    field('expires', 'expires_at'),
    field('checked', 'checked_at'),
    field('error', 'error'),
  ],
}

/** The processes that share the database of the server. */
export const processesList: ListDescription = {
  paths: ['/processes'],
  columns: [
    ['roles', ({ roles }) => join(roles)],
    field('status', 'status'),
    field('version', 'version'),
    field('seen', 'seen_at'),
    ['unavailable', ({ dependencies }) => join(dependencies, describeFailing)],
    ['notices', ({ notices }) => (Array.isArray(notices) ? notices.length : 0)],
    ['process', ({ host, pid }) => `${String(host)}:${String(pid)}`],
  ],
}

const join = (list: unknown, toWords: (one: unknown) => readonly string[] = (one) => [String(one)]) =>
  Array.isArray(list) ? list.flatMap(toWords).join(' ') || '-' : '-'

/** Names a failing dependency with the reason. */
function describeFailing(dependency: unknown): readonly string[] {
  const { name, status, code } = Object(dependency) as Readonly<Record<string, unknown>>
  if (status === 'ok') return []
  return [typeof code === 'string' ? `${String(name)} (${code})` : String(name)]
}

const endpoint = ['endpoint', ({ endpoint_name: name, endpoint: id }: Row) => name ?? id] as const

const eventColumns = [
  ...[field('sequence', 'sequence'), field('name', 'name'), field('subject', 'subject')],
  endpoint,
]

/** Returns the list of the dead letters of a consumer. */
export const listDeadLetters = (consumer: string): ListDescription => ({
  paths: [`/consumers/${encodeURIComponent(consumer)}/dead-letters`],
  columns: [field('died', 'dead_at'), ...eventColumns, field('error', 'error'), field('event', 'event_id')],
})

/** Returns the list of the failed events of a consumer that wait for another attempt. */
export const listRetries = (consumer: string): ListDescription => ({
  paths: [`/consumers/${encodeURIComponent(consumer)}/retries`],
  columns: [
    field('due', 'due_at'),
    ...eventColumns,
    field('attempts', 'attempts'),
    field('error', 'error'),
    field('event', 'event_id'),
  ],
})

/** Deliveries that need attention: dead letters, deliveries in quarantine, and events that wait for another attempt. */
export const failuresList: ListDescription = {
  paths: [
    '/deliveries?status=dead',
    '/deliveries?status=quarantined',
    '/deliveries?status=pending&minAttempts=1',
  ],
  columns: [
    field('received', 'created_at'),
    field('provider', 'provider'),
    endpoint,
    field('kind', 'kind'),
    field('status', 'status'),
    field('attempts', 'attempts'),
    ['reason', ({ reason, last_error: error }) => reason ?? error],
    field('id', 'id'),
  ],
}

const page = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  meta: z.object({ total: z.number() }),
})

/** Prints a list as a table that fits the terminal, or as JSON. */
export function printList(
  { paths, columns }: ListDescription,
  { limit, provider, endpoint, status, labels, query: others, ...options }: ListOptions,
  io: Io,
): Promise<number> {
  const query = {
    ...others,
    ...(provider && { provider }),
    ...(endpoint && { endpoint }),
    ...(status && { status }),
    ...(labels && { labels }),
    ...(limit && { limit }),
  }
  async function render(): Promise<readonly string[]> {
    const pages = await Promise.all(
      paths.map((path) => requestApi({ method: 'GET', path: addQuery(path, query) }, page, options, io)),
    )
    const rows = pages.flatMap(({ data }) => data)
    if (options.json === true) return [printableJson(rows)]
    const cells = rows.map((row) => columns.map(([, value]) => toText(value(row))))
    const head = columns.map(([title]) => title)
    const total = pages.reduce((sum, { meta }) => sum + meta.total, 0)
    return [...formatTable(...omitEmpty('endpoint', head, cells), io.columns), `${rows.length} of ${total}`]
  }
  return printOrWatch(render, options, io)
}

function addQuery(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`
}

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '-'
