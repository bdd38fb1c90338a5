import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { omitUndefined } from './filters.ts'
import { CommandError, failure, print, printable, success, usage, type Io } from './io.ts'
import { printList, unprocessedList, type ListOptions } from './lists.ts'
import { parseTime } from './parse-time.ts'
import { describeOutcome, runReplayJob } from './replay.ts'

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

/** Prints ignored and refused deliveries, newest first. */
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

type Detail = z.infer<typeof detail>['data']

/** Prints an ignored or refused delivery with its headers and its body. */
export async function showUnprocessed(id: string, options: ApiOptions, io: Io): Promise<number> {
  const { data } = await requestApi({ method: 'GET', path: pathOf(id) }, detail, options, io)
  return print(data, describe(data), options, io)
}

function* describe({ id, provider, outcome, reason, headers, body, body_state }: Detail): Generator<string> {
  yield `${printable(id)}  ${printable(provider)}  ${printable(outcome)}`
  if (reason !== null) yield `  reason ${printable(reason)}`
  for (const [name, value] of Object.entries(headers)) yield `  ${printable(name)}: ${printable(value)}`
  yield `  body ${printable(body_state)}${body.encoding === 'base64' ? ', in base64' : ''}`
  yield printable(body.data, 100_000)
}

const diagnosis = envelopeSchema(
  z.object({ verified: z.boolean(), mistakes: z.array(z.object({ code: z.string(), message: z.string() })) }),
)

/** Explains why a delivery was refused. @returns the exit code; failure while the signature is not valid */
export async function explainUnprocessed(id: string, options: ApiOptions, io: Io): Promise<number> {
  const { data } = await requestApi({ method: 'GET', path: pathOf(id, '/diagnosis') }, diagnosis, options, io)
  const state = data.verified ? 'valid with the current secrets' : 'not valid'
  const mistakes = data.mistakes.map(({ message }) => `  ${printable(message)}`)
  print(data, [`The signature is ${state}`, ...mistakes], options, io)
  return data.verified ? success : failure
}

const replayed = envelopeSchema(z.looseObject({ outcome: z.string(), reason: z.string().nullable() }))

/**
 * Processes one ignored or refused delivery again, or all that match as a job of the server.
 *
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
  print(data, describeOutcome(data), options, io)
  return data.outcome === 'accepted' || data.outcome === 'duplicate' ? success : failure
}
