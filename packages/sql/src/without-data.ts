import { readEvent } from './written.ts'

/** Removes the data from an event of the bus, in JSON; an unreadable event becomes `null`. */
export function withoutData(event: string): string {
  const read = readEvent(event)
  return read === undefined ? 'null' : JSON.stringify({ ...read, data: undefined })
}
