import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { deliverySummary, formatDeliveries } from './deliveries.ts'
import { toCriteria, type FilterOptions } from './filters.ts'
import { printable, printableJson, success, type Io } from './io.ts'

export type SearchOptions = ApiOptions & FilterOptions

const result = envelopeSchema(
  z.object({
    deliveries: z.array(deliverySummary),
    searched: z.number(),
    reached_at: z.string().nullable(),
    stopped: z.string(),
  }),
)

/**
 * Prints the deliveries whose bodies contain a text, and where the search stopped.
 *
 * @returns the exit code
 * @throws CommandError if the API rejects the request
 */
export async function search(text: string, options: SearchOptions, io: Io): Promise<number> {
  const json = { body: text, ...toCriteria(options, io.now()) }
  const { data } = await requestApi({ method: 'POST', path: '/searches', json }, result, options, io)
  if (options.json === true) {
    io.out(printableJson(data))
    return success
  }
  const { deliveries, searched, reached_at: reached, stopped } = data
  if (deliveries.length > 0) for (const line of formatDeliveries(deliveries, io.columns)) io.out(line)
  io.out(`Found ${deliveries.length} in ${searched} deliveries`)
  if (stopped !== 'end' && reached !== null)
    io.err(`The search stopped at ${printable(reached)}. Add --until ${printable(reached)} for older ones.`)
  return success
}
