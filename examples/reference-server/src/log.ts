import { pino, type Logger } from 'pino'
import pretty from 'pino-pretty'

export type { Logger } from 'pino'

/** Lines of JSON, or lines for a person where one is looking on. Neither bodies nor secrets are ever logged. */
export function createLog(level: string, person: boolean): Logger {
  const destination = person
    ? pretty({ ignore: 'pid,hostname', singleLine: true })
    : pino.destination({ sync: true })
  return pino({ level, base: null }, destination)
}
