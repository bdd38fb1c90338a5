import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { requireFilter, toCriteria, type FilterOptions } from './filters.ts'
import { failure, print, success, type Io } from './io.ts'

export interface CancelOptions extends ApiOptions, FilterOptions {
  /** Whether to cancel all pending events. @default false */
  readonly all?: boolean
}

const result = envelopeSchema(z.object({ events: z.number(), busy: z.number(), more: z.boolean() }))

/**
 * Cancels the pending events that match.
 *
 * @returns the exit code; failure while events stay pending, because an attempt runs
 * @throws CommandError if the arguments are incomplete or the API rejects a request
 */
export async function cancel(options: CancelOptions, io: Io): Promise<number> {
  const json = { ...requireFilter(options), ...toCriteria(options, io.now()) }
  let events = 0
  let busy = 0
  for (let more = true; more;) {
    const { data } = await requestApi({ method: 'POST', path: '/cancellations', json }, result, options, io)
    events += data.events
    ;({ busy, more } = data)
  }
  print({ events, busy }, `Cancelled events: ${events}`, options, io)
  if (busy > 0) io.err(`Events whose attempt runs stay pending: ${busy}. Run the command again.`)
  return busy > 0 ? failure : success
}
