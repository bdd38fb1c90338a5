import { z } from 'zod'
import { envelopeSchema, request, requestApi, type ApiOptions, type ApiRequest } from './api.ts'
import { connect } from './connection.ts'
import { hasFilter, toCriteria, type FilterOptions } from './filters.ts'
import { CommandError, failure, print, printable, success, usage, type Io } from './io.ts'
import { createProgress } from './progress.ts'

export interface ReplayOptions extends ApiOptions, FilterOptions {
  /** Selects every delivery. @default false */
  readonly all?: boolean
  /** Whether events are published under new ids. @default false */
  readonly asNew?: boolean
  /** Whether consumers handle events again that they have recorded as handled. @default false */
  readonly reprocess?: boolean
  /** Whether to count the deliveries only. @default false */
  readonly dryRun?: boolean
}

// Servers of older versions have no note.
const note = z.string().nullable().default(null)
const one = envelopeSchema(
  z.looseObject({ outcome: z.string(), reason: z.string().nullable(), events: z.array(z.string()), note }),
)
const count = envelopeSchema(z.object({ deliveries: z.number(), truncated: z.boolean() }))
const jobSchema = envelopeSchema(
  z.looseObject({
    id: z.string(),
    status: z.enum(['running', 'done', 'canceled', 'failed']),
    total: z.number(),
    processed: z.number(),
    replayed: z.number(),
    unchanged: z.number(),
    quarantined: z.number(),
    erased: z.number(),
    events: z.number(),
    // Servers of older versions do not count them.
    handled: z.number().default(0),
    reprocess: z.boolean().default(false),
    error: z.string().nullable(),
  }),
)
type Job = z.infer<typeof jobSchema>['data']

/** How often the command reads the progress of a job, in milliseconds. */
const pollMs = 500

/**
 * Replays one delivery or all that match.
 *
 * @throws CommandError if the arguments are incomplete or the request to the API fails
 */
export function replay(id: string | undefined, options: ReplayOptions, io: Io): Promise<number> {
  // A destination limits the replay of one delivery, too.
  const selectsMany = hasFilter(options, id === undefined ? undefined : 'destination') || options.all === true
  if (id === undefined && !selectsMany) {
    throw new CommandError(
      usage,
      'The command needs a delivery or a filter',
      'Add the id of a delivery, a filter such as --status or --provider, or --all.',
    )
  }
  if (options.asNew === true && options.reprocess === true)
    throw new CommandError(usage, '--as-new excludes --reprocess', 'Omit one of them.')
  if (id !== undefined && (selectsMany || options.dryRun === true))
    throw new CommandError(
      usage,
      'An id excludes filters',
      'Omit the id, or the filters, --all and --dry-run.',
    )
  if (id !== undefined) return replayOne(id, options, io)
  return options.dryRun === true ? countMatching(options, io) : replayMatching(options, io)
}

export const describeOutcome = ({
  outcome,
  reason,
}: {
  readonly outcome: string
  readonly reason: string | null
}): string => `${printable(outcome)}${reason === null ? '' : `: ${printable(reason)}`}`

async function replayOne(id: string, options: ReplayOptions, io: Io): Promise<number> {
  const path = `/deliveries/${encodeURIComponent(id)}/replays`
  const { destination } = options
  const json = { ...toModes(options), ...(destination !== undefined && { destination }) }
  const { data } = await requestApi({ method: 'POST', path, json }, one, options, io)
  const events = data.events.map((event) => `  ${printable(event)}`)
  const lines = [describeOutcome(data), ...events, ...(data.note === null ? [] : [printable(data.note)])]
  print(data, lines, options, io)
  return data.outcome === 'quarantined' ? failure : success
}

async function countMatching(options: ReplayOptions, io: Io): Promise<number> {
  const json = { ...createCriteria(options, io), dry_run: true }
  const { data } = await requestApi({ method: 'POST', path: '/replays', json }, count, options, io)
  const more = data.truncated ? ' or more' : ''
  return print(data, `Matching deliveries: ${data.deliveries}${more}`, options, io)
}

function replayMatching(options: ReplayOptions, io: Io): Promise<number> {
  const json = { ...createCriteria(options, io), ...toModes(options) }
  return runReplayJob({ method: 'POST', path: '/replay-jobs', json }, options, io)
}

/**
 * Starts a replay job of the server, which Ctrl-C cancels, and waits for its end.
 *
 * @throws CommandError if a request to the API fails
 */
export async function runReplayJob(creation: ApiRequest, options: ApiOptions, io: Io): Promise<number> {
  const connection = await connect(options, io)
  const send = async (details: ApiRequest) => (await request(connection, details, jobSchema, io)).data
  let job = await send(creation)
  const path = `/replay-jobs/${encodeURIComponent(job.id)}`

  const signal = io.catchInterrupt?.() ?? new AbortController().signal
  const isCanceled = () => signal.aborted
  const progress = createProgress('Replaying', io)
  try {
    while (job.status === 'running') {
      progress.show(job.processed, job.total)
      await io.sleep(pollMs, signal)
      job = await send({ method: isCanceled() ? 'DELETE' : 'GET', path })
    }
  } catch (error) {
    throw error instanceof CommandError ? createUnknownError(error, job) : error
  } finally {
    progress.end()
  }

  print(job, `${job.status}: ${formatSummary(job)}`, options, io)
  if (job.error !== null) io.err(printable(job.error))
  return job.status === 'done' && job.quarantined === 0 ? success : failure
}

const toModes = ({ asNew = false, reprocess = false }: ReplayOptions) => ({
  as_new: asNew,
  ...(reprocess && { reprocess }),
})

const createCriteria = ({ all, ...options }: ReplayOptions, io: Io) => ({
  ...toCriteria(options, io.now()),
  ...(all === true && { all }),
})

function createUnknownError({ exitCode, message, hints }: CommandError, job: Job): CommandError {
  return new CommandError(
    exitCode,
    message,
    ...hints,
    `The server continues the job ${printable(job.id)}, if it can. Done so far: ${formatSummary(job)}`,
  )
}

function formatSummary(job: Job): string {
  const { processed, replayed, unchanged, quarantined, erased, events, handled } = job
  const parts = Object.entries({ replayed, unchanged, quarantined, erased }).filter(
    ([, number]) => number > 0,
  )
  const list = parts.map(([outcome, number]) => `, ${number} ${outcome}`).join('')
  const effect = job.reprocess ? 'handled again by' : 'skipped as handled by'
  const known = handled === 0 ? '' : `, ${handled} ${effect} consumers that record them`
  return `Deliveries: ${processed}${list}; events to publish: ${events}${known}`
}
