import type { Logger } from './log.ts'

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
