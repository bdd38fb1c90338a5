/**
 * The id of the row of a destination: `>name/<id of the event>`. No event has such an id: it begins with the name of its provider.
 * The lanes of a destination have the same prefix.
 */
export const destinationPrefix = (destination: string): string => `>${destination}/`

/** The row of an inbox: of a destination, or of the bus and the handlers. */
interface Row {
  readonly destination?: string
  /** The id of the event. */
  readonly id: string
}

/** Splits the id of a row, or the name of a lane. Lanes of applications do not begin with a single `>`. */
export function readRow(id: string): Row {
  if (!id.startsWith('>') || id.startsWith('>>')) return { id }
  const end = id.indexOf('/')
  return end <= 1 ? { id } : { destination: id.slice(1, end), id: id.slice(end + 1) }
}

/** Returns the prefix of the id of a row: empty for the bus and the handlers. */
export const readPrefix = (id: string): string => {
  const { destination } = readRow(id)
  return destination === undefined ? '' : destinationPrefix(destination)
}
