import type { Logger } from './log.ts'

/** Logs what the inbox or a shared queue held and nobody can read: it was put aside, so that what is behind it goes on. */
export const logUnreadable =
  (log: Pick<Logger, 'error'>) =>
  (error: unknown): void => {
    log.error({ err: error }, 'Something that was stored cannot be read as an event')
  }
