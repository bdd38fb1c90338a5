import { pino, type DestinationStream, type Logger } from 'pino'

export type { Logger } from 'pino'

/** Lines of JSON. Neither bodies nor secrets are ever logged. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino({ level, base: null }, destination)
}

/** The standard output, in lines for a person where one is looking on. */
export async function linesForAPerson(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ ignore: 'pid,hostname', singleLine: true })
}
