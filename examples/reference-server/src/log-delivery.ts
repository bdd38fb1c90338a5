import type { Observation } from '@sallyport/webhooks'
import type { Logger } from './log.ts'

/**
 * Logs an answered request. What the server itself could not do is an error; a signature that a scheme throws at is a
 * warning: a stranger can bring it about, and so can a bug of the scheme, which its stack shows.
 */
export function logDelivery(log: Pick<Logger, 'info' | 'warn' | 'error'>, observed: Observation): void {
  const { error, ...observation } = observed
  if (error === undefined) log.info(observation, 'Delivery')
  else if (observed.status < 500 && observed.outcome === 'refused') {
    log.warn({ ...observation, err: error }, 'Delivery')
  } else log.error({ ...observation, err: error }, 'Delivery')
}
