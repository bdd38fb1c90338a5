import { createRetention, type CompleteInbox, type Retention, type WithInbox } from '@sallyport/webhooks'
import type { Settings } from '../config/settings.ts'
import type { Logger } from '../log.ts'

const day = 24 * 60 * 60 * 1000

/** Begins to delete what need not be kept any longer of deliveries. */
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
 * How long the embedded bus keeps events, in milliseconds: it knows an id again for as long as its record can be
 * replayed and that may take.
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
