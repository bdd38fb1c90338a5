import { z } from 'zod'
import { changedEvents, changeEvents, envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { CommandError, failure, print, printable, printableJson, type Io } from './io.ts'
import { changePause } from './pause.ts'
import { formatTable, omitEmpty } from './table.ts'
import { printOrWatch, type WatchOptions } from './watch.ts'

export interface ListLanesOptions extends ApiOptions, WatchOptions {
  readonly state?: string
  readonly order?: string
  /** The largest number of lanes. @default 20 */
  readonly limit?: string
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

const pathOf = (name: string, rest = '') => `/lanes/${Buffer.from(name).toString('base64url')}${rest}`

const head = ['state', 'events', 'attempts', 'since', 'error', 'endpoint', 'name']

const toRow = ({ state, events, first, endpoint, endpoint_name, name }: Lane): readonly string[] => [
  ...[state, String(events), String(first?.attempts ?? '-'), first?.since ?? '-', first?.error ?? '-'],
  ...[endpoint_name ?? endpoint ?? '-', name],
]

/** Prints lanes as a table that fits the terminal, or as JSON. */
export function listLanes(
  { state, order, limit = '20', ...options }: ListLanesOptions,
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
  return printOrWatch(render, options, io)
}

const readLane = async (name: string, options: ApiOptions, io: Io) =>
  (await requestApi({ method: 'GET', path: pathOf(name) }, oneLane, options, io)).data

/** Prints a lane with its first event. */
export async function showLane(name: string, options: ApiOptions, io: Io): Promise<number> {
  const data = await readLane(name, options, io)
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
  const lines = facts.map(([title, value]) => `${title}: ${printable(value)}`)
  return print(data, lines, options, io)
}

const changePauseOf =
  (change: 'pause' | 'resume') =>
  (name: string, options: ApiOptions, io: Io): Promise<number> =>
    changePause({ change, noun: 'lane', name, path: pathOf(name) }, options, io)

/** Holds the events of a lane. */
export const pauseLane = changePauseOf('pause')

/** Releases the events of a paused lane. */
export const resumeLane = changePauseOf('resume')

/** Makes the first event of a lane a dead letter. @throws CommandError if the lane has no event */
export async function skipLaneHead(name: string, options: ApiOptions, io: Io): Promise<number> {
  const { first } = await readLane(name, options, io)
  if (first === null) throw new CommandError(failure, 'The lane has no pending event')
  const { event_id } = first
  const request = { method: 'POST', path: pathOf(name, '/skip'), json: { event_id } } as const
  const { data } = await requestApi(request, changedEvents, options, io)
  return print({ events: data.events }, `Skipped ${printable(event_id)}`, options, io)
}

/** Makes the first event of a lane due. */
export async function retryLaneHead(name: string, options: ApiOptions, io: Io): Promise<number> {
  const request = { method: 'POST', path: pathOf(name, '/retry') } as const
  const { data } = await requestApi(request, changedEvents, options, io)
  return print({ events: data.events }, 'The first event is due now', options, io)
}

/** Makes the pending events of a lane dead letters. */
export async function cancelLane(name: string, options: ApiOptions, io: Io): Promise<number> {
  const events = await changeEvents({ method: 'POST', path: pathOf(name, '/cancel') }, options, io)
  return print({ events }, `Cancelled events: ${events}`, options, io)
}
