import type { Observation } from '@sallyport/webhooks'
import type { Logger } from './log.ts'

/**
 * Logs an answered request. What the server itself could not do is an error with its stack; what a stranger can bring
 * about, by a signature that a scheme throws at, is a line like that of any other refusal.
 */
export function logDelivery(log: Pick<Logger, 'info' | 'error'>, observed: Observation): void {
  const { error, ...observation } = observed
  if (error === undefined) log.info(observation, 'Delivery')
  else if (observed.status < 500 && observed.outcome === 'refused') {
    log.info({ ...observation, error: error instanceof Error ? error.message : 'Unknown error' }, 'Delivery')
  } else log.error({ ...observation, err: error }, 'Delivery')
}
