import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { toQuery, type FilterOptions } from './filters.ts'
import { CommandError, print, printable, usage, type Io } from './io.ts'
import { formatTable, omitEmpty } from './table.ts'

export interface DeliveriesOptions extends ApiOptions, FilterOptions {
  /** @default 20 */
  readonly limit?: string
}

export const deliverySummary = z.looseObject({
  id: z.string(),
  provider: z.string(),
  // Servers of older versions have no names.
  endpoint: z.string().nullish(),
  endpoint_name: z.string().nullish(),
  status: z.string(),
  reason: z.string().nullable(),
  reason_detail: z.string().nullish(),
  body_state: z.string(),
  body_bytes: z.number(),
  created_at: z.string(),
})
const list = z.object({ data: z.array(deliverySummary), meta: z.object({ total: z.number() }) })

const attempts = z.looseObject({
  state: z.string(),
  attempts: z.number(),
  due_at: z.string().nullable(),
  failures: z.array(z.object({ at: z.string(), error: z.string() })),
})
const detail = envelopeSchema(
  deliverySummary.extend({
    events: z.array(
      attempts.extend({
        id: z.string(),
        name: z.string(),
        route: z.string(),
        // Servers of older versions do not say.
        duplicate: z.boolean().default(false),
        notification: attempts.nullable(),
      }),
    ),
  }),
)

type Summary = z.infer<typeof deliverySummary>
type Attempts = z.infer<typeof attempts>

/** Prints deliveries, newest first, or one delivery with its events. */
export async function deliveries(
  id: string | undefined,
  options: DeliveriesOptions,
  io: Io,
): Promise<number> {
  const { limit } = options
  const query = { ...toQuery(options, io.now()), ...(limit !== undefined && { limit }) }
  if (id === undefined) {
    const path = `/deliveries?${new URLSearchParams(query).toString()}`
    const { data, meta } = await requestApi({ method: 'GET', path }, list, options, io)
    const lines = [...formatDeliveries(data, io.columns), `${data.length} of ${meta.total}`]
    return print(data, lines, options, io)
  }
  if (Object.keys(query).length > 0) {
    throw new CommandError(usage, 'An id excludes filters', 'Omit the id, or the other options.')
  }
  const path = `/deliveries/${encodeURIComponent(id)}`
  const { data } = await requestApi({ method: 'GET', path }, detail, options, io)
  return print(data, describe(data), options, io)
}

/** Formats deliveries as a table. */
export function formatDeliveries(found: readonly Summary[], columns: number | undefined): readonly string[] {
  const rows = found.map((one) => [one.created_at, one.provider, toCustomer(one) ?? '-', one.status, one.id])
  const head = ['received', 'provider', 'endpoint', 'status', 'id']
  return formatTable(...omitEmpty('endpoint', head, rows), columns)
}

function* describe({ events, ...delivery }: z.infer<typeof detail>['data']): Generator<string> {
  const { id, provider, status, reason, reason_detail, created_at, body_bytes, body_state } = delivery
  yield `${printable(id)}  ${printable(provider)}  ${printable(status)}${reason === null ? '' : `: ${printable(reason)}`}`
  const customer = toCustomer(delivery)
  if (customer !== undefined) yield `  endpoint ${printable(customer)}`
  if (reason_detail) yield `  ${printable(reason_detail)}`
  yield `  received ${printable(created_at)}, ${body_bytes} bytes, body ${printable(body_state)}`
  for (const { notification, ...event } of events) {
    yield `  ${printable(event.name)}  ${printable(event.id)}  ${printable(event.route)}`
    yield* progress('event', event)
    if (event.duplicate) yield '    duplicate: the bus knew the id, and stored nothing'
    if (notification !== null) yield* progress('notification', notification)
  }
}

/** The name of the endpoint, or its id. */
const toCustomer = ({ endpoint, endpoint_name }: Pick<Summary, 'endpoint' | 'endpoint_name'>) =>
  endpoint_name ?? endpoint ?? undefined

function* progress(what: string, { state, attempts, due_at, failures }: Attempts): Generator<string> {
  const due = due_at === null ? '' : `, due ${printable(due_at)}`
  yield `    ${what} ${printable(state)}, attempts: ${attempts}${due}`
  for (const { at, error } of failures) yield `      ${printable(at)}  ${printable(error)}`
}
