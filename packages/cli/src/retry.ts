import { changeEvents, type ApiOptions } from './api.ts'
import { omitUndefined } from './filters.ts'
import { CommandError, print, usage, type Io } from './io.ts'

export interface RetryOptions extends ApiOptions {
  readonly provider?: string
  readonly endpoint?: string
  readonly kind?: string
  /** Whether to retry all waiting events. @default false */
  readonly all?: boolean
}

/**
 * Makes the waiting events of a delivery, or of all that match, due now.
 *
 * @throws CommandError if the arguments are incomplete or the API rejects a request
 */
export async function retry(id: string | undefined, options: RetryOptions, io: Io): Promise<number> {
  const { provider, endpoint, kind, all } = options
  const filter = { ...omitUndefined({ provider, endpoint, kind }), ...(all === true && { all }) }
  const isFiltered = Object.keys(filter).length > 0
  if (id === undefined && !isFiltered)
    throw new CommandError(
      usage,
      'The command needs a delivery or a filter',
      'Add the id of a delivery, --provider, --endpoint, --kind or --all.',
    )
  if (id !== undefined && isFiltered)
    throw new CommandError(
      usage,
      'An id excludes filters',
      'Omit the id, or --provider, --endpoint, --kind and --all.',
    )
  const events = await changeEvents(
    id === undefined
      ? { method: 'POST', path: '/retries', json: filter }
      : { method: 'POST', path: `/deliveries/${encodeURIComponent(id)}/retries` },
    options,
    io,
  )
  return print({ events }, `Events that are due now: ${events}`, options, io)
}
