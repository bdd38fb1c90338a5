import { z } from 'zod'
import { envelopeSchema, request, type ApiOptions } from './api.ts'
import { connect } from './connection.ts'
import { CommandError, failure, print, printable, success, type Io } from './io.ts'
import { parseTime } from './parse-time.ts'
import { formatTable } from './table.ts'

export interface ReconcileOptions extends ApiOptions {
  /** The start of the window: a duration before now, or a time. @default the end of the last window */
  readonly since?: string
  /** Whether to count only. @default false */
  readonly dryRun?: boolean
}

const run = z.looseObject({
  ...{ id: z.string(), since: z.string(), until: z.string(), dry_run: z.boolean() },
  ...{ missed: z.number(), recovered: z.number(), ids: z.array(z.string()) },
})
const source = z.looseObject({
  ...{ name: z.string(), mode: z.string(), state: z.string(), error: z.string().nullable() },
  ...{ recovered: z.number(), asked: z.number(), abandoned: z.number() },
  ...{ checked_until: z.string().nullable(), last_run: run.nullable() },
})
const sources = envelopeSchema(z.object({ reconciliations: z.array(source) }))
const requested = envelopeSchema(z.object({ id: z.string() }))

type Source = z.infer<typeof source>

/** How often the command reads the state of a run, in milliseconds. */
const pollMs = 1000

const head = ['name', 'mode', 'state', 'recovered', 'asked', 'abandoned', 'checked until', 'error']

const toRow = (one: Source): readonly string[] => [
  ...[one.name, one.mode, one.state, String(one.recovered), String(one.asked), String(one.abandoned)],
  ...[one.checked_until ?? '-', one.error ?? '-'],
]

/**
 * Runs a source of what a service could not deliver, and waits for the end of the run. Ctrl-C ends the waiting. Without a name,
 * lists the sources.
 *
 * @throws CommandError if the API rejects a request
 */
export async function reconcile(
  name: string | undefined,
  options: ReconcileOptions,
  io: Io,
): Promise<number> {
  const connection = await connect(options, io)
  const list = async () =>
    (await request(connection, { method: 'GET', path: '/reconciliations' }, sources, io)).data.reconciliations
  if (name === undefined) {
    const found = await list()
    return print(found, formatTable(head, found.map(toRow), io.columns), options, io)
  }

  const path = `/reconciliations/${encodeURIComponent(name)}/runs`
  const json = {
    ...(options.since !== undefined && { since: parseTime(options.since, io.now()) }),
    dry_run: options.dryRun === true,
  }
  const { data } = await request(connection, { method: 'POST', path, json }, requested, io)
  const signal = io.catchInterrupt?.() ?? new AbortController().signal
  while (!signal.aborted) {
    await io.sleep(pollMs, signal)
    const found = (await list()).find((one) => one.name === name)
    if (found?.last_run?.id === data.id) return printRun(found.last_run, options, io)
    if (found?.state === 'failing')
      throw new CommandError(
        failure,
        `The run failed with ${printable(found.error ?? 'an error')}`,
        'It continues later.',
      )
    if (found?.state !== 'running')
      throw new CommandError(failure, 'Another run took the place of this one', 'Ask for it again.')
  }
  io.out('The run continues on the server')
  return success
}

function printRun(ended: z.infer<typeof run>, options: ReconcileOptions, io: Io): number {
  const { since, until, missed, recovered, dry_run: isDry, ids } = ended
  const asked = missed - recovered
  const effects = isDry ? [] : [`recovered: ${recovered}`, ...(asked > 0 ? [`sent again: ${asked}`] : [])]
  const text = `${printable(since)} to ${printable(until)}: ${[`missed: ${missed}`, ...effects].join(', ')}`
  return print(ended, [text, ...ids.map((id) => `  ${printable(id)}`)], options, io)
}
