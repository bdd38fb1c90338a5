import type { Notifier } from '../ports/ports.ts'

/** A log with levels that takes fields and a text: pino's, the console, or one like them. */
export interface NotifierLog {
  info(fields: object, text: string): unknown
  warn(fields: object, text: string): unknown
  error(fields: object, text: string): unknown
}

const levels = { info: 'info', warning: 'warn', error: 'error' } as const

/**
 * Writes messages into a log, at the level of their severity: for a system whose operators read it.
 *
 * The text is the title on one line, without control characters. The fields hold the message, with personal data that
 * is in its text, and the id and the name of the event.
 *
 * @example
 * ```ts
 * import { logNotifier } from '@sallyport/webhooks/notifiers'
 *
 * export const notifier = logNotifier(console)
 * ```
 */
export function logNotifier(log: NotifierLog): Notifier {
  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- a log that throws rejects
    async notify(message, event, signal) {
      signal.throwIfAborted()
      const fields = { notification: message, event: event.id, name: event.name }
      log[levels[message.severity]](fields, printable(message.title))
    },
  }
}

/** What strangers wrote, fit for a terminal, which a log such as the console writes it to as it is. */
const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
