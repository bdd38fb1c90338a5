import { requireFound } from '@sallyport/rest'
import type { DestinationOperations, DestinationSummary } from '@sallyport/webhooks/destinations'

/** @throws SallyportError 404 `NOT_FOUND` */
export async function requireDestination(
  destinations: Pick<DestinationOperations, 'list'>,
  name: string,
): Promise<DestinationSummary> {
  return requireFound(
    (await destinations.list()).find((one) => one.name === name),
    unknown,
  )
}

/** @throws SallyportError 404 `NOT_FOUND`, also for a removed destination */
export async function requireCurrent(
  destinations: Pick<DestinationOperations, 'list'>,
  name: string,
): Promise<void> {
  const { state } = await requireDestination(destinations, name)
  requireFound(state === 'removed' ? undefined : state, unknown)
}

const unknown = 'There is no such destination'
