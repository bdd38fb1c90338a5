import type { ManagedDestinationDeclaration } from '../filter/destination-schema.ts'
import type { Destination } from '../ports/destination.ts'
import type { ClosableDestination } from './managed.ts'

const unopened = new WeakSet<Destination>()

/** Creates a destination that records its events, and receives none: they wait for a process that can open it. */
export async function createUnopened({
  name,
  mode,
  filter,
  order = 'none',
  concurrency = 10,
}: ManagedDestinationDeclaration): Promise<ClosableDestination> {
  // Filters need zod, which is optional.
  const { createEventFilter } = await import('../filter/filter.ts')
  const destination: ClosableDestination = {
    ...{ name, mode, order, concurrency },
    ...(filter && { accepts: createEventFilter(filter) }),
    send: () => Promise.reject(new Error('The destination is not open')),
    close: () => Promise.resolve(),
  }
  unopened.add(destination)
  return destination
}

export const isOpened = (destination: Destination): boolean => !unopened.has(destination)
