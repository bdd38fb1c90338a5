import { integerOption } from '@sallyport/internal/options'

const maxTotalMs = 7 * 86_400_000
const maxDelays = 1000

/** The delays between the attempts of a message, in milliseconds: a list, or delays that grow. */
export type RetryOptions = readonly number[] | ExponentialRetry

interface ExponentialRetry {
  /** The first delay. @default 5,000 */
  readonly firstMs?: number | undefined
  /** The factor between two delays. @default 2 */
  readonly factor?: number | undefined
  /** The longest delay. @default 6 hours */
  readonly longestMs?: number | undefined
  /** The time from the first to the last attempt, at most 7 days. @default 3 days */
  readonly forMs?: number | undefined
}

/** Lists the delays between attempts. @throws TypeError for an invalid delay, and for more than 7 days in total */
export function listRetryDelays(options: RetryOptions): readonly number[] {
  const delays = isList(options) ? options : listGrowingDelays(options)
  for (const delay of delays) integerOption('retry', delay, 1, maxTotalMs)
  const total = delays.reduce((sum, delay) => sum + delay, 0)
  if (total > maxTotalMs || delays.length > maxDelays)
    throw new TypeError('retry must have at most 1,000 delays, and 7 days in total')
  return delays
}

const isList = (options: RetryOptions): options is readonly number[] => Array.isArray(options)

function listGrowingDelays(options: ExponentialRetry): readonly number[] {
  const firstMs = integerOption('retry.firstMs', options.firstMs ?? 5000, 1, maxTotalMs)
  const longestMs = integerOption('retry.longestMs', options.longestMs ?? 6 * 3_600_000, firstMs, maxTotalMs)
  const forMs = integerOption('retry.forMs', options.forMs ?? 3 * 86_400_000, firstMs, maxTotalMs)
  const { factor = 2 } = options
  if (!(factor >= 1 && factor <= 100)) throw new TypeError('retry.factor must be a number from 1 to 100')
  const delays: number[] = []
  let [delay, total] = [firstMs, 0]
  while (total + delay <= forMs && delays.length <= maxDelays) {
    delays.push(delay)
    total += delay
    delay = Math.min(Math.round(delay * factor), longestMs)
  }
  return delays
}
