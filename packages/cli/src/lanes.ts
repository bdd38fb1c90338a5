import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { CommandError, failure, printable, printableJson, success, type Io } from './io.ts'
import { formatTable, omitEmpty } from './table.ts'
import { printOrWatch } from './watch.ts'

export interface ListLanesOptions extends ApiOptions {
  readonly state?: string
  readonly order?: string
  /** The largest number of lanes. @default 20 */
  readonly limit?: string
  /** Whether to print again every two seconds. @default false */
  readonly watch?: boolean
}

const lane = z.object({
  name: z.string(),
  state: z.string(),
  events: z.number(),
  endpoint: z.string().nullable(),
  endpoint_name: z.string().nullable(),
  first: z
    .object({
      ...{ event_id: z.string(), name: z.string(), delivery_id: z.string(), attempts: z.number() },
      ...{ since: z.string(), due_at: z.string(), error: z.string().nullable() },
    })
    .loose()
    .nullable(),
})
// The JSON has the members that this command does not print, too.
const oneLane = envelopeSchema(lane.loose())
const someLanes = envelopeSchema(z.object({ lanes: z.array(lane.loose()), truncated: z.boolean() }))

type Lane = z.infer<typeof lane>

const changed = envelopeSchema(z.object({ changed: z.boolean() }))
const changedEvents = envelopeSchema(z.object({ events: z.number(), more: z.boolean() }))

const pathOf = (name: string, rest = '') => `/lanes/${Buffer.from(name).toString('base64url')}${rest}`

const head = ['state', 'events', 'attempts', 'since', 'error', 'endpoint', 'name']

const toRow = ({ state, events, first, endpoint, endpoint_name, name }: Lane): readonly string[] => [
  ...[state, String(events), String(first?.attempts ?? '-'), first?.since ?? '-', first?.error ?? '-'],
  ...[endpoint_name ?? endpoint ?? '-', name],
]

/**
 * Prints lanes as a table that fits the terminal, or as JSON.
 *
 * @returns the exit code
 * @throws CommandError if the API rejects the request
 */
export function listLanes(
  { state, order, limit = '20', watch, ...options }: ListLanesOptions,
  io: Io,
): Promise<number> {
  const query = { ...(state && { state }), ...(order && { order }), limit }
  async function render(): Promise<readonly string[]> {
    const path = `/lanes?${new URLSearchParams(query).toString()}`
    const { data } = await requestApi({ method: 'GET', path }, someLanes, options, io)
    if (options.json === true) return [printableJson(data.lanes)]
    const table = formatTable(...omitEmpty('endpoint', head, data.lanes.map(toRow)), io.columns)
    return [...table, `Lanes: ${data.lanes.length}${data.truncated ? ', and there are more' : ''}`]
  }
  return printOrWatch(render, { ...(watch !== undefined && { watch }) }, io)
}

const readLane = async (name: string, options: ApiOptions, io: Io) =>
  (await requestApi({ method: 'GET', path: pathOf(name) }, oneLane, options, io)).data

/**
 * Prints a lane with its first event.
 *
 * @returns the exit code
 * @throws CommandError if the API rejects the request
 */
export async function showLane(name: string, options: ApiOptions, io: Io): Promise<number> {
  const data = await readLane(name, options, io)
  if (options.json === true) {
    io.out(printableJson(data))
    return success
  }
  const { state, events, endpoint, endpoint_name, first } = data
  const facts = Object.entries({
    ...{ name: data.name, state, events: String(events) },
    ...(endpoint !== null && { endpoint: endpoint_name ?? endpoint }),
    ...(first && {
      ...{ 'first event': first.event_id, kind: first.name, delivery: first.delivery_id },
      ...{ attempts: String(first.attempts), since: first.since, due: first.due_at },
      ...(first.error !== null && { error: first.error }),
    }),
  })
  for (const [title, value] of facts) io.out(`${title}: ${printable(value)}`)
  return success
}

/**
 * Holds the events of a lane.
 *
 * @returns the exit code
 * @throws CommandError if the API rejects the request
 */
export async function pauseLane(name: string, options: ApiOptions, io: Io): Promise<number> {
  const { data } = await post(name, 'pause', changed, options, io)
  const text = data.changed ? `Paused ${printable(name)}` : 'The lane was paused before'
  io.out(options.json === true ? printableJson(data) : text)
  return success
}

/**
 * Releases the events of a paused lane.
 *
 * @returns the exit code
 * @throws CommandError if the API rejects the request
 */
export async function resumeLane(name: string, options: ApiOptions, io: Io): Promise<number> {
  const { data } = await post(name, 'resume', changed, options, io)
  const text = data.changed ? `Resumed ${printable(name)}` : 'The lane was not paused'
  io.out(options.json === true ? printableJson(data) : text)
  return success
}

/**
 * Makes the first event of a lane a dead letter.
 *
 * @returns the exit code
 * @throws CommandError if the lane has no event or the API rejects a request
 */
export async function skipLaneHead(name: string, options: ApiOptions, io: Io): Promise<number> {
  const { first } = await readLane(name, options, io)
  if (first === null) throw new CommandError(failure, 'The lane has no pending event')
  const { data } = await post(name, 'skip', changedEvents, options, io, { event_id: first.event_id })
  io.out(
    options.json === true ? printableJson({ events: data.events }) : `Skipped ${printable(first.event_id)}`,
  )
  return success
}

/**
 * Makes the first event of a lane due.
 *
 * @returns the exit code
 * @throws CommandError if the API rejects the request
 */
export async function retryLaneHead(name: string, options: ApiOptions, io: Io): Promise<number> {
  const { data } = await post(name, 'retry', changedEvents, options, io)
  io.out(options.json === true ? printableJson({ events: data.events }) : 'The first event is due now')
  return success
}

/**
 * Makes the pending events of a lane dead letters.
 *
 * @returns the exit code
 * @throws CommandError if the API rejects a request
 */
export async function cancelLane(name: string, options: ApiOptions, io: Io): Promise<number> {
  let events = 0
  for (let more = true; more;) {
    const { data } = await post(name, 'cancel', changedEvents, options, io)
    events += data.events
    more = data.more
  }
  io.out(options.json === true ? printableJson({ events }) : `Cancelled events: ${events}`)
  return success
}

const post = <Body>(
  name: string,
  change: string,
  schema: z.ZodType<Body>,
  options: ApiOptions,
  io: Io,
  json?: object,
): Promise<Body> =>
  requestApi({ method: 'POST', path: pathOf(name, `/${change}`), json }, schema, options, io)
