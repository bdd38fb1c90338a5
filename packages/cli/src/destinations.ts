import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { CommandError, failure, print, printable, printableJson, type Io } from './io.ts'
import { changePause } from './pause.ts'
import { formatTable } from './table.ts'
import { printOrWatch, type WatchOptions } from './watch.ts'

export interface PauseOptions extends ApiOptions {
  readonly reason?: string
}

const destination = z.object({
  ...{ name: z.string(), state: z.string(), mode: z.string().nullable(), order: z.string().nullable() },
  ...{ concurrency: z.number().nullable(), rate_per_second: z.number().nullable(), pending: z.number() },
  ...{ paused_at: z.string().nullable(), pause_reason: z.string().nullable() },
  ...{ opened_at: z.string().nullable(), probe_at: z.string().nullable(), oldest_at: z.string().nullable() },
  ...{
    redact: z.array(z.string()),
    attempts: z.number(),
    error_share: z.number().nullable(),
    filtered: z.number(),
  },
  ...{ last_success_at: z.string().nullable(), last_success_status: z.number().nullable() },
})
// The JSON has the members that this command does not print, too.
const all = envelopeSchema(z.object({ destinations: z.array(destination.loose()) }))

type Destination = z.infer<typeof destination>

const pathOf = (name: string) => `/destinations/${encodeURIComponent(name)}`

const head = ['state', 'mode', 'waiting', 'oldest', 'errors', 'last success', 'name']

const toRow = (one: Destination): readonly string[] => [
  ...[one.state, one.mode ?? '-', String(one.pending), one.oldest_at ?? '-'],
  ...[formatShare(one), one.last_success_at ?? '-', one.name],
]

const formatShare = ({ error_share: share }: Destination) =>
  share === null ? '-' : `${Number((share * 100).toFixed(1))} %`

const readAll = async (options: ApiOptions, io: Io) =>
  (await requestApi({ method: 'GET', path: '/destinations' }, all, options, io)).data.destinations

/** Prints the destinations as a table that fits the terminal, or as JSON. */
export function listDestinations(options: ApiOptions & WatchOptions, io: Io): Promise<number> {
  async function render(): Promise<readonly string[]> {
    const destinations = await readAll(options, io)
    if (options.json === true) return [printableJson(destinations)]
    const table = formatTable(head, destinations.map(toRow), io.columns)
    return [...table, `Destinations: ${destinations.length}`]
  }
  return printOrWatch(render, options, io)
}

/** Prints a destination. @throws CommandError if there is no such destination */
export async function showDestination(name: string, options: ApiOptions, io: Io): Promise<number> {
  const one = (await readAll(options, io)).find((found) => found.name === name)
  if (one === undefined) throw new CommandError(failure, 'There is no such destination')
  const { paused_at, pause_reason, opened_at, probe_at, oldest_at, attempts, filtered } = one
  const facts = {
    ...{ name: one.name, state: one.state, mode: one.mode, order: one.order },
    ...{ concurrency: one.concurrency, 'requests a second': one.rate_per_second },
    redact: one.redact.length > 0 ? one.redact.join(', ') : null,
    ...{ paused: paused_at, reason: pause_reason, 'breaker opened': opened_at, 'next probe': probe_at },
    ...{ waiting: one.pending, oldest: oldest_at, 'attempts in an hour': attempts },
    ...{ errors: attempts === 0 ? null : formatShare(one), 'filtered in an hour': filtered },
    ...{ 'last success': one.last_success_at, 'status of it': one.last_success_status },
  }
  const known = Object.entries(facts).filter(([, value]) => value !== null)
  const lines = known.map(([title, value]) => `${title}: ${printable(String(value))}`)
  return print(one, lines, options, io)
}

/** Stops the requests to a destination. */
export function pauseDestination(name: string, options: PauseOptions, io: Io): Promise<number> {
  const { reason } = options
  const json = reason === undefined ? undefined : { reason }
  return changePause({ change: 'pause', noun: 'destination', name, path: pathOf(name), json }, options, io)
}

/** Continues the requests to a paused destination. */
export const resumeDestination = (name: string, options: ApiOptions, io: Io): Promise<number> =>
  changePause({ change: 'resume', noun: 'destination', name, path: pathOf(name) }, options, io)
