import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { requireFilter, toCriteria, type FilterOptions } from './filters.ts'
import { CommandError, failure, print, usage, type Io } from './io.ts'

export interface EraseOptions extends ApiOptions, FilterOptions {
  /** Whether to erase all deliveries. @default false */
  readonly all?: boolean
  /** Whether to count the deliveries only. @default false */
  readonly dryRun?: boolean
  /** Whether the user knows that an erasure cannot be undone. @default false */
  readonly yes?: boolean
}

const result = envelopeSchema(
  z.object({
    deliveries: z.number(),
    cancelled: z.number(),
    unprocessed: z.number(),
    busy: z.number(),
    next: z.string().nullable(),
  }),
)

/**
 * Erases the deliveries that match, or counts them.
 *
 * @returns the exit code; failure while deliveries stay, because their work is under way
 * @throws CommandError if the arguments are incomplete or the API rejects a request
 */
export async function erase(options: EraseOptions, io: Io): Promise<number> {
  const { dryRun = false, yes = false } = options
  const criteria = { ...requireFilter(options), ...toCriteria(options, io.now()) }
  if (!dryRun && !yes)
    throw new CommandError(
      usage,
      'An erasure cannot be undone',
      'Count the deliveries with --dry-run, and show them with sallyport deliveries and the same filters. Then add --yes.',
    )
  const total = { deliveries: 0, cancelled: 0, unprocessed: 0, busy: 0 }
  for (let cursor: string | null = ''; cursor !== null;) {
    const json: Readonly<Record<string, unknown>> = { ...criteria, ...(dryRun && { dry_run: true }), cursor }
    const { data } = await requestApi({ method: 'POST', path: '/erasures', json }, result, options, io)
    for (const name of ['deliveries', 'cancelled', 'unprocessed', 'busy'] as const) total[name] += data[name]
    cursor = data.next
  }
  const { deliveries, cancelled, unprocessed, busy } = total
  const text = `${dryRun ? 'Would erase' : 'Erased'} deliveries: ${deliveries}; cancelled events: ${cancelled}; ignored and refused: ${unprocessed}`
  const printed = print(total, text, options, io)
  if (dryRun || busy === 0) return printed
  io.err(`Deliveries whose work is under way stay: ${busy}. Run the command again.`)
  return failure
}
