import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { CommandError, printableJson, success, usage, type Io } from './io.ts'

export interface RetryOptions extends ApiOptions {
  readonly provider?: string
  readonly endpoint?: string
  readonly kind?: string
  /** Whether to retry all waiting events. @default false */
  readonly all?: boolean
}

const result = envelopeSchema(z.object({ events: z.number(), more: z.boolean() }))

/**
 * Makes the waiting events of a delivery, or of all that match, due now.
 *
 * @returns the exit code
 * @throws CommandError if the arguments are incomplete or the API rejects a request
 */
export async function retry(id: string | undefined, options: RetryOptions, io: Io): Promise<number> {
  const { provider, endpoint, kind, all } = options
  const filter = {
    ...(provider !== undefined && { provider }),
    ...(endpoint !== undefined && { endpoint }),
    ...(kind !== undefined && { kind }),
    ...(all === true && { all: true }),
  }
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
  let events = 0
  for (let more = true; more;) {
    const { data } = await requestApi(
      id === undefined
        ? { method: 'POST', path: '/retries', json: filter }
        : { method: 'POST', path: `/deliveries/${encodeURIComponent(id)}/retries` },
      result,
      options,
      io,
    )
    events += data.events
    more = data.more
  }
  io.out(options.json === true ? printableJson({ events }) : `Events that are due now: ${events}`)
  return success
}
