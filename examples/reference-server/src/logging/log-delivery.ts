import type { Observation } from '@sallyport/webhooks'
import type { Logger } from './log.ts'

/**
 * Logs an answered delivery. Failures of the server are errors. An exception of a signature scheme is a warning, because a
 * forged signature may cause it; the stack shows a bug of the scheme.
 */
export function logDelivery(log: Pick<Logger, 'info' | 'warn' | 'error'>, observed: Observation): void {
  const { error, ...observation } = observed
  if (error === undefined) log.info(observation, 'Delivery')
  else if (observed.status < 500 && observed.outcome === 'refused') {
    log.warn({ ...observation, err: error }, 'Delivery')
  } else log.error({ ...observation, err: error }, 'Delivery')
}
