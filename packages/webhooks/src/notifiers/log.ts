import type { Notifier } from '../ports/ports.ts'

/** A logger such as pino or the console. */
export interface NotifierLog {
  info(fields: object, text: string): unknown
  warn(fields: object, text: string): unknown
  error(fields: object, text: string): unknown
}

const levels = { info: 'info', warning: 'warn', error: 'error' } as const

/**
 * Creates a notifier that logs each message at the level of its severity.
 *
 * The text is the title on one line, without control characters. The fields hold the message, including personal data in
 * its text, and the id and the name of the event.
 *
 * @example
 * ```ts
 * import { createLogNotifier } from '@sallyport/webhooks/notifiers'
 *
 * export const notifier = createLogNotifier(console)
 * ```
 */
export function createLogNotifier(log: NotifierLog): Notifier {
  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- an error of the log must reject
    async notify(message, event, signal) {
      signal.throwIfAborted()
      const fields = { notification: message, event: event.id, name: event.name }
      // The console writes control characters to the terminal.
      log[levels[message.severity]](fields, message.title.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim())
    },
  }
}
