import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { deliverySummary, formatDeliveries } from './deliveries.ts'
import { toCriteria, type FilterOptions } from './filters.ts'
import { print, printable, success, type Io } from './io.ts'

export type SearchOptions = ApiOptions & FilterOptions

const result = envelopeSchema(
  z.object({
    deliveries: z.array(deliverySummary),
    searched: z.number(),
    reached_at: z.string().nullable(),
    stopped: z.string(),
  }),
)

/** Prints the deliveries whose bodies contain a text, and where the search stopped. */
export async function search(text: string, options: SearchOptions, io: Io): Promise<number> {
  const json = { body: text, ...toCriteria(options, io.now()) }
  const { data } = await requestApi({ method: 'POST', path: '/searches', json }, result, options, io)
  const { deliveries, searched, reached_at: reached, stopped } = data
  const table = deliveries.length > 0 ? formatDeliveries(deliveries, io.columns) : []
  print(data, [...table, `Found ${deliveries.length} in ${searched} deliveries`], options, io)
  if (options.json !== true && stopped !== 'end' && reached !== null)
    io.err(`The search stopped at ${printable(reached)}. Add --until ${printable(reached)} for older ones.`)
  return success
}
