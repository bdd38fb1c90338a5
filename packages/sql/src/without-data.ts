import { readEvent } from './written.ts'

/** An event of the bus, as JSON, without what it said. Of one that cannot be read any more nothing is left. */
export function withoutData(event: string): string {
  const read = readEvent(event)
  return read === undefined ? 'null' : JSON.stringify({ ...read, data: undefined })
}
