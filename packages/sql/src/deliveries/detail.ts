import type {
  DeliveryDetail,
  EventState,
  EventStatus,
  Failure,
  NotificationState,
  Route,
  StoredRequest,
  WebhookEvent,
} from '@sallyport/webhooks'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { requireAvailable, type Bodies, type BodyRow } from '../bodies/bodies.ts'
import { toShownEvent, type EventRow } from '../inbox/event-row.ts'
import { readResponse } from '../inbox/read-response.ts'
import { bodyContext } from '../encryption/seal.ts'
import type { Vault } from '../encryption/vault.ts'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import { reportUnreadable, type OnError } from '../internal/errors.ts'
import { readSummaries } from './summary.ts'
import { allEvents, isInBatch } from './terms.ts'

const decompress = promisify(zstdDecompress)

interface EventStateRow extends EventRow {
  readonly sequence: number
  readonly route: Route
  readonly status: EventStatus
  readonly attempts: number
  readonly due_at: number
  readonly lease_ends_at: number | null
  readonly published_at: number | null
  readonly duplicate: number | null
  readonly notification_status: NotificationState['status'] | null
  readonly notification_attempts: number
  readonly notification_due_at: number
}

type FailureRow = Omit<Failure, 'response'> & {
  readonly event: number
  readonly work: 'publish' | 'notify'
  readonly response: string | null
  readonly id: string
  readonly replay_of: string | null
}

interface ReadOptions {
  readonly vault: Vault
  readonly bodies: Bodies
  readonly onError: OnError | undefined
}

type Reading = Pick<ReadOptions, 'vault' | 'bodies'>

/**
 * Reads a delivery with its events and body. A delivery with an unreadable body appears as pruned.
 *
 * @throws the errors of a vault and of the store of bodies
 */
export async function readDelivery(
  db: Kysely<InboxTables>,
  id: string,
  { vault, bodies, onError }: ReadOptions,
): Promise<DeliveryDetail | undefined> {
  const delivery = await db
    .selectFrom('deliveries')
    .select(['sequence', 'headers', 'query'])
    .where('id', '=', escapeText(id))
    .executeTakeFirst()
  if (delivery === undefined) return undefined
  const { sequence } = delivery
  const stored = await readBody(db, { sequence, id: escapeText(id) }, { vault, bodies }, () => {
    reportUnreadable(
      onError,
      `The body of the delivery ${id} cannot be read: the delivery is shown without its body`,
    )
  })
  const events = await readEvents(db, sequence, { vault, bodies })
  const summary = (await readSummaries(db, [sequence], vault)).get(sequence)
  if (summary === undefined) return undefined
  // The delivery may have been erased or pruned between the statements.
  const body = summary.bodyState === 'stored' ? stored : undefined
  const { headers, query } = summary.bodyState === 'erased' ? { headers: '{}', query: null } : delivery
  return {
    ...summary,
    bodyState: summary.bodyState === 'stored' && body === undefined ? 'pruned' : summary.bodyState,
    ...openRequest(escapeText(id), { headers, query }, vault),
    ...(body && { body }),
    events,
  }
}

/** Parses the stored headers; unreadable headers become an empty object, so that the rest of the delivery is shown. */
function readHeaders(json: string): Record<string, string> {
  try {
    const headers: unknown = JSON.parse(json)
    const isRecord = typeof headers === 'object' && headers !== null && !Array.isArray(headers)
    return isRecord ? (headers as Record<string, string>) : {}
  } catch {
    return {}
  }
}

/** @throws the errors of a vault */
function openRequest(
  id: string,
  { headers, query }: { readonly headers: string; readonly query: string | null },
  { open }: Vault,
): Pick<StoredRequest, 'headers' | 'query'> {
  return {
    headers: readHeaders(open(headers, `headers ${id}`)),
    ...(query !== null && { query: unescapeText(open(query, `query ${id}`)) }),
  }
}

async function readBody(
  db: Kysely<InboxTables>,
  { sequence, id }: { readonly sequence: number; readonly id: string },
  { vault, bodies }: Reading,
  tell: () => void,
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('delivery_bodies')
    .select(['encoding', 'body'])
    .where('delivery', '=', sequence)
    .executeTakeFirst()
  return row && (await decodeBody(openBody(await bodies.open(row), id, vault), tell))
}

const openBody = (row: BodyRow, id: string, vault: Vault): BodyRow =>
  row.encoding === 'sealed' ? vault.openBytes(row.body, bodyContext(id)) : row

async function decodeBody({ encoding, body }: BodyRow, tell: () => void): Promise<Uint8Array | undefined> {
  try {
    return Uint8Array.from(encoding === 'zstd' ? await decompress(body) : body)
  } catch {
    tell()
    return undefined
  }
}

/**
 * Reads the requests of deliveries by their ids, without those whose body was deleted or cannot be read. One that no key opens,
 * or whose store does not answer, is rejected.
 */
export async function readRequests(
  db: Kysely<InboxTables>,
  ids: readonly string[],
  { vault, bodies, onError }: ReadOptions,
): Promise<ReadonlyMap<string, PromiseSettledResult<StoredRequest | undefined>>> {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('delivery_bodies', 'delivery_bodies.delivery', 'deliveries.sequence')
    .select(['id', 'headers', 'query', 'encoding', 'body'])
    .where('id', 'in', ids.map(escapeText))
    .execute()
  const read = async (row: (typeof rows)[number]): Promise<StoredRequest | undefined> => {
    const id = unescapeText(row.id)
    const body = await decodeBody(openBody(await bodies.open(row), row.id, vault), () => {
      reportUnreadable(onError, `The body of the delivery ${id} cannot be read`)
    })
    return body && { ...openRequest(row.id, row, vault), body }
  }
  const requests = await Promise.allSettled(rows.map(read))
  return new Map(requests.map((request, index) => [unescapeText(rows[index]?.id ?? ''), request]))
}

async function readEvents(
  db: Kysely<InboxTables>,
  delivery: number,
  reading: Reading,
): Promise<readonly EventState[]> {
  return [...(await readEventStates(db, sql`d.sequence = ${delivery}`, reading)).values()]
}

/**
 * Reads the states of events `e` of deliveries `d` by their sequences, in that order.
 *
 * @param reading without `bodies`, data in an object is left out
 */
export async function readEventStates(
  db: Kysely<InboxTables>,
  isWanted: RawBuilder<unknown>,
  reading: Pick<ReadOptions, 'vault'> & Partial<Reading>,
): Promise<ReadonlyMap<number, EventState>> {
  const { vault, bodies } = reading
  const { rows } = await sql<EventStateRow>`
    select e.sequence, e.id, e.name, e.subject, e.ts, e.data, e.data_body, e.manual, e.trace, e.replay_of,
      e.route, e.status, e.attempts, e.due_at, e.lease_ends_at, e.published_at, e.duplicate, d.id as delivery, d.provider, d.endpoint, d.received_at,
      coalesce(n.status, case when b.lease is not null then 'pending' end, e.notification) as notification_status,
      coalesce(n.attempts, 0) as notification_attempts, coalesce(n.due_at, b.since) as notification_due_at
    from deliveries d
    join events e on ${sql.raw(allEvents)}
    left join notifications n on n.event = e.sequence
    left join notification_batches b on ${sql.raw(isInBatch)}
    where ${isWanted} order by e.sequence`.execute(db)
  const failures = await readFailures(db, isWanted, vault)
  return new Map(
    requireAvailable(bodies ? await bodies.load(rows) : rows).map((row) => [
      row.sequence,
      toState(row, toShownEvent(row, vault), (work) => failures.get(`${work} ${row.sequence}`) ?? []),
    ]),
  )
}

async function readFailures(
  db: Kysely<InboxTables>,
  isWanted: RawBuilder<unknown>,
  vault: Vault,
): Promise<ReadonlyMap<string, readonly Failure[]>> {
  const { rows } = await sql<FailureRow>`
    select f.event, f.work, f.at, f.error, f.response, e.id, e.replay_of
    from deliveries d
    join events e on ${sql.raw(allEvents)}
    join failures f on f.event = e.sequence
    where ${isWanted} order by f.event, f.work, f.number`.execute(db)
  const failures = new Map<string, Failure[]>()
  for (const { event, work, at, error, response, id, replay_of } of rows) {
    const key = `${work} ${event}`
    const own = failures.get(key) ?? []
    own.push({ at, error: unescapeText(error), ...readResponse(response, vault, [id, replay_of ?? id]) })
    failures.set(key, own)
  }
  return failures
}

function toState(
  row: EventStateRow,
  event: WebhookEvent,
  failures: (work: 'publish' | 'notify') => readonly Failure[],
): EventState {
  const { route, status, attempts } = row
  const open = status === 'pending' || status === 'queued'
  return {
    event,
    route,
    status,
    attempts,
    ...(open && { dueAt: row.due_at }),
    ...(row.lease_ends_at !== null && { leaseEndsAt: row.lease_ends_at }),
    ...(row.published_at !== null && { publishedAt: row.published_at }),
    ...(status === 'published' && row.duplicate === 1 && { duplicate: true }),
    failures: failures('publish'),
    ...(row.notification_status !== null && {
      notification: {
        status: row.notification_status,
        attempts: row.notification_attempts,
        ...(row.notification_status === 'pending' && { dueAt: row.notification_due_at }),
        failures: failures('notify'),
      },
    }),
  }
}
