import { z } from 'zod'
import { requestApi, type ApiOptions } from './api.ts'
import { printableJson, type Io } from './io.ts'
import { formatTable, omitEmpty } from './table.ts'
import { printOrWatch } from './watch.ts'

export interface ListOptions extends ApiOptions {
  /** The largest number of results. @default 20 */
  readonly limit?: string
  readonly provider?: string
  readonly status?: string
  /** Whether to print again every two seconds. @default false */
  readonly watch?: boolean
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

/**
 * Prints a list as a table that fits the terminal, or as JSON.
 *
 * @returns the exit code
 * @throws CommandError if the API rejects the request
 */
export function printList(
  { paths, columns }: ListDescription,
  { limit, provider, status, watch, ...options }: ListOptions,
  io: Io,
): Promise<number> {
  const query = { ...(provider && { provider }), ...(status && { status }), ...(limit && { limit }) }
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
  return printOrWatch(render, { ...(watch !== undefined && { watch }) }, io)
}

function addQuery(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`
}

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '-'
