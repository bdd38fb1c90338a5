import type { DeliveryFilter } from './inbox-deliveries.ts'

/** Reports whether an endpoint, or none, matches the endpoints of a filter. */
export const isOfEndpoint = (
  id: string | undefined,
  { endpoint, endpoints }: Pick<DeliveryFilter, 'endpoint' | 'endpoints'>,
): boolean =>
  (endpoint === undefined || id === endpoint) &&
  (endpoints === undefined || (id !== undefined && endpoints.includes(id)))
