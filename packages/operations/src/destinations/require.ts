import { requireFound } from '@sallyport/rest'
import type { DestinationOperations } from '@sallyport/webhooks/destinations'

/** @throws SallyportError 404 `NOT_FOUND` */
export async function requireDestination(
  destinations: Pick<DestinationOperations, 'list'>,
  name: string,
): Promise<void> {
  const found = (await destinations.list()).find((one) => one.name === name)
  requireFound(found, 'There is no such destination')
}
