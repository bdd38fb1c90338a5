import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { omitUndefined } from './filters.ts'
import { CommandError, failure, printable, printableJson, success, usage, type Io } from './io.ts'
import { printList, unprocessedList, type ListOptions } from './lists.ts'
import { parseTime } from './parse-time.ts'
import { runReplayJob } from './replay.ts'

/** The options that select ignored and refused deliveries. */
export interface UnprocessedOptions extends ListOptions {
  readonly outcome?: string
  readonly endpoint?: string
  readonly kind?: string
  readonly reason?: string
  readonly value?: string
  readonly since?: string
  readonly until?: string
  /** Selects every kept delivery. @default false */
  readonly all?: boolean
}

const path = '/unprocessed-deliveries'
const pathOf = (id: string, rest = '') => `${path}/${encodeURIComponent(id)}${rest}`

/** Prints ignored and refused deliveries, newest first. @returns the exit code */
export function listUnprocessed(options: UnprocessedOptions, io: Io): Promise<number> {
  const { outcome, endpoint, kind, reason, value, since, until, ...others } = options
  const query = omitUndefined({
    ...{ outcome, endpoint, kind, reason, value },
    receivedAfter: since && parseTime(since, io.now()),
    receivedBefore: until && parseTime(until, io.now(), '--until'),
  })
  return printList(unprocessedList, { ...others, query }, io)
}

const detail = envelopeSchema(
  z.looseObject({
    id: z.string(),
    outcome: z.string(),
    provider: z.string(),
    reason: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    body: z.object({ encoding: z.string(), data: z.string() }),
    body_state: z.string(),
  }),
)

/** Prints an ignored or refused delivery with its headers and its body. @returns the exit code */
export async function showUnprocessed(id: string, options: ApiOptions, io: Io): Promise<number> {
  const { data } = await requestApi({ method: 'GET', path: pathOf(id) }, detail, options, io)
  if (options.json === true) {
    io.out(printableJson(data))
    return success
  }
  io.out(`${printable(data.id)}  ${printable(data.provider)}  ${printable(data.outcome)}`)
  if (data.reason !== null) io.out(`  reason ${printable(data.reason)}`)
  for (const [name, value] of Object.entries(data.headers))
    io.out(`  ${printable(name)}: ${printable(value)}`)
  const form = data.body.encoding === 'base64' ? ', in base64' : ''
  io.out(`  body ${printable(data.body_state)}${form}`)
  io.out(printable(data.body.data, 100_000))
  return success
}

const diagnosis = envelopeSchema(
  z.object({ verified: z.boolean(), mistakes: z.array(z.object({ code: z.string(), message: z.string() })) }),
)

/** Explains why a delivery was refused. @returns the exit code; failure while the signature is not valid */
export async function explainUnprocessed(id: string, options: ApiOptions, io: Io): Promise<number> {
  const { data } = await requestApi({ method: 'GET', path: pathOf(id, '/diagnosis') }, diagnosis, options, io)
  if (options.json === true) io.out(printableJson(data))
  else {
    io.out(data.verified ? 'The signature is valid with the current secrets' : 'The signature is not valid')
    for (const { message } of data.mistakes) io.out(`  ${printable(message)}`)
  }
  return data.verified ? success : failure
}

const replayed = envelopeSchema(z.looseObject({ outcome: z.string(), reason: z.string().nullable() }))

/**
 * Processes one ignored or refused delivery again, or all that match as a job of the server.
 *
 * @returns the exit code
 * @throws CommandError if the arguments are incomplete or the API rejects the request
 */
export async function replayUnprocessed(
  id: string | undefined,
  options: UnprocessedOptions,
  io: Io,
): Promise<number> {
  const { outcome, provider, endpoint, kind, reason, value, since, until, all } = options
  const criteria = omitUndefined({
    ...{ outcome, provider, endpoint, kind, reason, value },
    received_after: since && parseTime(since, io.now()),
    received_before: until && parseTime(until, io.now(), '--until'),
  })
  const selectsMany = all === true || Object.keys(criteria).length > 0
  if ((id !== undefined) === selectsMany)
    throw new CommandError(
      usage,
      'The command needs either a delivery or a filter',
      'Add the id of a delivery, a filter such as --outcome or --provider, or --all.',
    )
  if (id === undefined) {
    const json = { ...criteria, ...(all === true && { all }) }
    return await runReplayJob({ method: 'POST', path: `${path}/replays`, json }, options, io)
  }
  const { data } = await requestApi({ method: 'POST', path: pathOf(id, '/replays') }, replayed, options, io)
  if (options.json === true) io.out(printableJson(data))
  else io.out(`${printable(data.outcome)}${data.reason === null ? '' : `: ${printable(data.reason)}`}`)
  return data.outcome === 'accepted' || data.outcome === 'duplicate' ? success : failure
}
