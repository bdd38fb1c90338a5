import { pino, type DestinationStream, type Logger } from 'pino'
import { summarizeRetries, type Attempt, type Observation } from '@sallyport/webhooks'

export type { Logger } from 'pino'

/** Creates a log of JSON lines. No line holds a body or a secret. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino({ level, base: null }, destination)
}

/** A formatter of log lines for a terminal. */
export async function createPrettyStream(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ ignore: 'pid,hostname', singleLine: true })
}

/** Creates the handler for a stored item that cannot be read as an event and was set aside. */
export const logUnreadable =
  (log: Pick<Logger, 'error'>) =>
  (error: unknown): void => {
    log.error({ err: error }, 'A stored item cannot be read as an event')
  }

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

const attemptLevels = {
  done: 'info',
  queued: 'info',
  released: 'info',
  retry: 'warn',
  lost: 'warn',
  dead: 'error',
} as const satisfies Record<Attempt['outcome']['status'], keyof Logger>

/**
 * Logs settled attempts to publish an event or to send its notification. Of the attempts of an outage, the first has a line,
 * the others one line a minute for each bus and error, and lines of their own at debug.
 */
export function createAttemptLog(log: Logger) {
  const retries = summarizeRetries({
    onSummary: (summary) => {
      log.warn(summary, 'Attempts that failed in the last minute, and are retried')
    },
  })
  return {
    add: (text: string, attempt: Attempt) => {
      logAttempt(log, text, attempt, retries.isReported(attempt))
    },
    flush: retries.flush,
  }
}

function logAttempt(
  log: Logger,
  text: string,
  { work, event, destination, attempts, outcome }: Attempt,
  isReported: boolean,
): void {
  const { endpoint, deliveryId } = event.source
  // The text of a response can contain data.
  const result = { ...outcome, response: undefined }
  log[isReported ? attemptLevels[outcome.status] : 'debug'](
    { work, event: event.id, destination, endpoint, deliveryId, attempts, ...result },
    text,
  )
}

const minute = 60_000

/**
 * Logs the failures of a poll that runs every second. A new error, and the same error after a minute, are logged at level
 * error; a repetition within a minute is logged at debug.
 */
export function logOutage(
  log: Pick<Logger, 'debug' | 'error'>,
  text: string,
  /** In milliseconds. */
  now = () => performance.now(),
): (error: unknown) => void {
  let last: { readonly error: string; readonly at: number } | undefined
  return (error) => {
    const isRepeated = last?.error === String(error) && now() - last.at < minute
    if (!isRepeated) last = { error: String(error), at: now() }
    log[isRepeated ? 'debug' : 'error']({ err: error }, text)
  }
}

/** Logs the failures of several polls, which their texts distinguish, as `logOutage` does. */
export function logOutages(log: Pick<Logger, 'debug' | 'error'>): (text: string, error: unknown) => void {
  const logs = new Map<string, (error: unknown) => void>()
  return (text, error) => {
    const report = logs.get(text) ?? logOutage(log, text)
    logs.set(text, report)
    report(error)
  }
}
