import type { Logger } from './log.ts'

const minute = 60_000

/**
 * Logs the failures of something that is asked again every second: what is said anew is an error, and so is the same
 * after a minute; until then it is a debug line. Nobody says that it is back, so a second outage is told by the time.
 */
export function logOutage(
  log: Pick<Logger, 'debug' | 'error'>,
  text: string,
  /** In milliseconds. */
  now = () => performance.now(),
): (error: unknown) => void {
  let told: { readonly error: string; readonly at: number } | undefined
  return (error) => {
    const isTold = told?.error === String(error) && now() - told.at < minute
    if (!isTold) told = { error: String(error), at: now() }
    log[isTold ? 'debug' : 'error']({ err: error }, text)
  }
}
