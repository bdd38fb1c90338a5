import { pino, type DestinationStream, type Logger } from 'pino'

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
