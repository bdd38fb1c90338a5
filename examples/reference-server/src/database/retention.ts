import { createRetention, type CompleteInbox, type Retention, type WithInbox } from '@sallyport/webhooks'
import type { Settings } from '../config/settings.ts'
import type { Logger } from '../logging/log.ts'

const day = 24 * 60 * 60 * 1000

/** Starts the retention of deliveries. */
export function startRetention(inbox: CompleteInbox, settings: Settings, log: Logger): Retention {
  const retention = createRetention({
    inbox,
    publishedForMs: settings.RETENTION_DAYS * day,
    bodiesForMs: settings.BODY_RETENTION_DAYS * day,
    bodyBytes: settings.BODY_MAX_BYTES,
    keysForMs: settings.DEDUPE_DAYS * day,
    onPruned: (result) => {
      log.info(result, 'Pruned')
    },
    onError: (error) => {
      log.error({ err: error }, 'The inbox could not be pruned')
    },
  })
  retention.start()
  return retention
}

/**
 * The retention of the embedded bus, in milliseconds: longer than that of records, so that the bus recognizes replayed ids.
 */
export function busRetentionMs({ RETENTION_DAYS }: Pick<Settings, 'RETENTION_DAYS'>): number {
  return (RETENTION_DAYS + 2) * day
}

/** The gateway's option of the same name. */
export function maxEventAge({
  MAX_EVENT_AGE_DAYS: days,
}: Pick<Settings, 'MAX_EVENT_AGE_DAYS'>): Pick<WithInbox, 'maxEventAgeMs'> {
  return days === undefined ? {} : { maxEventAgeMs: days * day }
}
