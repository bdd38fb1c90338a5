import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions, type ApiRequest } from './api.ts'
import { CommandError, failure, printable, printableJson, success, usage, type Io } from './io.ts'

export interface ReplayOptions extends ApiOptions {
  readonly status?: string
  readonly provider?: string
  /** Whether events are published under new ids. @default false */
  readonly asNew?: boolean
  /** The cursor of an interrupted replay. */
  readonly after?: string
}

// Servers of older versions have no note.
const note = z.string().nullable().default(null)
const one = envelopeSchema(
  z.looseObject({ outcome: z.string(), reason: z.string().nullable(), events: z.array(z.string()), note }),
)
const counts = z.object({
  deliveries: z.number(),
  replayed: z.number(),
  unchanged: z.number(),
  quarantined: z.number(),
  erased: z.number(),
  events: z.number(),
})
type Counts = z.infer<typeof counts>
const many = envelopeSchema(counts.extend({ next: z.string().nullable(), note }))

/**
 * Replays one delivery or all that match.
 *
 * @returns the exit code
 * @throws CommandError if the arguments are incomplete or the request to the API fails
 */
export function replay(id: string | undefined, options: ReplayOptions, io: Io): Promise<number> {
  const isFiltered = options.status !== undefined || options.provider !== undefined
  if (id === undefined && !isFiltered) {
    throw new CommandError(
      usage,
      'The command needs a delivery or a filter',
      'Add the id of a delivery, --status or --provider.',
    )
  }
  if (id !== undefined && (isFiltered || options.after !== undefined)) {
    throw new CommandError(
      usage,
      'An id excludes filters',
      'Omit the id, or --status, --provider and --after.',
    )
  }
  return id === undefined ? replayMatching(options, io) : replayOne(id, options, io)
}

async function replayOne(id: string, options: ReplayOptions, io: Io): Promise<number> {
  const path = `/deliveries/${encodeURIComponent(id)}/replays`
  const json = { as_new: options.asNew ?? false }
  const { data } = await requestApi({ method: 'POST', path, json }, one, options, io)
  if (options.json === true) io.out(printableJson(data))
  else {
    io.out(`${printable(data.outcome)}${data.reason === null ? '' : `: ${printable(data.reason)}`}`)
    for (const event of data.events) io.out(`  ${printable(event)}`)
    if (data.note !== null) io.out(printable(data.note))
  }
  return data.outcome === 'quarantined' ? failure : success
}

async function replayMatching(options: ReplayOptions, io: Io): Promise<number> {
  const { status, provider, asNew = false, after = '' } = options
  const filter = { ...(status !== undefined && { status }), ...(provider !== undefined && { provider }) }
  const total = { deliveries: 0, replayed: 0, unchanged: 0, quarantined: 0, erased: 0, events: 0 }
  let cursor: string | null = after
  let shownNote: string | null = null
  while (cursor !== null) {
    const begun: string = cursor
    const json = { ...filter, as_new: asNew, cursor: begun }
    const request: ApiRequest = { method: 'POST', path: '/replays', json }
    try {
      const { data } = await requestApi(request, many, options, io)
      for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += data[name]
      cursor = data.next
      shownNote = data.note ?? shownNote
    } catch (error) {
      throw error instanceof CommandError && begun !== after
        ? createInterruptedError(error, total, begun)
        : error
    }
  }
  if (options.json === true) io.out(printableJson({ ...total, note: shownNote }))
  else {
    io.out(formatSummary(total))
    if (shownNote !== null) io.out(printable(shownNote))
  }
  return total.quarantined > 0 ? failure : success
}

/** The access token may expire during many requests. A restart with new ids would publish everything twice. */
function createInterruptedError(
  { message, hints }: CommandError,
  done: Counts,
  cursor: string,
): CommandError {
  return new CommandError(
    failure,
    message,
    ...hints,
    `Done so far: ${formatSummary(done)}`,
    `To continue, repeat the command with --after=${printable(cursor, 2048)}`,
  )
}

function formatSummary({ deliveries, events, ...outcomes }: Counts): string {
  const parts = Object.entries(outcomes).filter(([, count]) => count > 0)
  const list = parts.map(([outcome, count]) => `, ${count} ${outcome}`).join('')
  return `Deliveries: ${deliveries}${list}; events to publish: ${events}`
}
