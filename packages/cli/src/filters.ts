import { Option, type Command } from 'commander'
import { CommandError, usage } from './io.ts'
import { parseTime } from './parse-time.ts'

/** The options that select deliveries. */
export interface FilterOptions {
  readonly status?: string
  readonly outcome?: string
  readonly reason?: string
  readonly provider?: string
  readonly endpoint?: string
  readonly destination?: string
  readonly kind?: string
  readonly eventId?: string
  readonly subject?: string
  readonly value?: string
  readonly text?: string
  readonly minAttempts?: string
  readonly error?: string
  readonly since?: string
  readonly until?: string
}

const statuses = ['pending', 'queued', 'published', 'quarantined', 'dead']
const names = [
  ...([
    'status',
    'outcome',
    'reason',
    'provider',
    'endpoint',
    'destination',
    'kind',
    'eventId',
    'subject',
    'value',
    'text',
  ] as const),
  ...(['minAttempts', 'error', 'since', 'until'] as const),
]

/** Returns the option that selects deliveries by status. */
export const createStatusOption = (): Option =>
  new Option('-s, --status <status>', 'only deliveries with this status').choices(statuses)

/** Adds the filters of the API to a command. */
export const addFilterOptions = (command: Command): Command =>
  command
    .addOption(createStatusOption())
    .addOption(
      new Option('--outcome <outcome>', 'in quarantine, or all others').choices(['accepted', 'quarantined']),
    )
    .option('--reason <code>', 'the code of the reason for the quarantine')
    .option('--provider <name>', 'only deliveries of this provider')
    .option('--endpoint <id>', 'only deliveries of this endpoint')
    .option('--destination <name>', 'only deliveries with an event for this destination')
    .option('--kind <kind>', 'only deliveries of this kind; a trailing * matches a prefix')
    .option('--event-id <id>', 'the delivery of this event')
    .option('--subject <subject>', 'only deliveries with an event of this subject')
    .option('--value <value>', 'an id of the service, a request id, or a value at a search path, exactly')
    .option('--text <text>', 'the start of a subject, the id of a delivery or event, or a value')
    .option('--min-attempts <count>', 'an event was attempted at least this often')
    .option('--error <text>', 'the exact last error of an event')
    .option('--since <time>', 'received since then: 30m, 1h, 7d or a time')
    .option('--until <time>', 'received before then')

/** Reports whether an option selects deliveries, apart from one. */
export const hasFilter = (options: FilterOptions, apart?: keyof FilterOptions): boolean =>
  names.some((name) => name !== apart && options[name] !== undefined)

/**
 * Returns the criterion of `--all`.
 *
 * @throws CommandError without a filter and without `--all`
 */
export function requireFilter(options: FilterOptions & { readonly all?: boolean }): { readonly all?: true } {
  if (options.all === true) return { all: true }
  if (hasFilter(options)) return {}
  throw new CommandError(
    usage,
    'The command needs a filter',
    'Add a filter such as --endpoint or --provider, or --all.',
  )
}

/** Returns the query parameters of a list of deliveries. */
export function toQuery(options: FilterOptions, now: number): Readonly<Record<string, string>> {
  const { since, until, ...filters } = selectFilters(options)
  return {
    ...filters,
    ...(since !== undefined && { receivedAfter: parseTime(since, now) }),
    ...(until !== undefined && { receivedBefore: parseTime(until, now, '--until') }),
  }
}

/** Returns the criteria of a request that changes deliveries. */
export function toCriteria(options: FilterOptions, now: number): Readonly<Record<string, unknown>> {
  const { since, until, eventId, minAttempts, ...filters } = selectFilters(options)
  return {
    ...filters,
    ...(eventId !== undefined && { event_id: eventId }),
    ...(minAttempts !== undefined && { min_attempts: Number(minAttempts) }),
    ...(since !== undefined && { received_after: parseTime(since, now) }),
    ...(until !== undefined && { received_before: parseTime(until, now, '--until') }),
  }
}

/** Returns the members that have a value. */
export const omitUndefined = (
  members: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(members).filter((member): member is [string, string] => member[1] !== undefined),
  )

const selectFilters = (options: FilterOptions): Partial<Record<(typeof names)[number], string>> =>
  Object.fromEntries(
    names.map((name) => [name, options[name]] as const).filter(([, value]) => value !== undefined),
  )
