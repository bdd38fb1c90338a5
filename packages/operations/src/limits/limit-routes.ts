import type { RouteBinding } from '@sallyport/rest'
import type { EndpointOperations } from '@sallyport/webhooks/node'
import { SallyportError } from '@sallyport/errors'
import type { EndpointLabels, GetOperator } from '../access.ts'
import { refuse, type FindEndpointIds } from './limited-operations.ts'

/**
 * The operations that serve an operator with a limit; all others answer 403. The routes of these operations use the limited
 * parts of the webhooks only.
 */
export const limitedOperationIds: ReadonlySet<string> = new Set([
  'getOperator',
  ...['listDeliveries', 'getDelivery', 'getEventData', 'searchDeliveries', 'streamDeliveries'],
  ...['replayDelivery', 'replayDeliveries', 'retryDelivery', 'retryEvents', 'cancelEvents'],
  ...['eraseDelivery', 'eraseDeliveries', 'listFailures', 'listEvents', 'streamEvents'],
  ...['listUnprocessedDeliveries', 'getUnprocessedDelivery', 'getUnprocessedDiagnosis'],
  ...['replayUnprocessedDelivery', 'listEndpoints', 'getEndpoint', 'listProviders', 'getProvider'],
])

export interface LimitRoutesOptions {
  readonly getOperator: GetOperator
  readonly endpoints: EndpointOperations['endpoints'] | undefined
  /** Creates the routes over the parts of these endpoints. */
  readonly create: (findIds: FindEndpointIds) => readonly RouteBinding[]
}

/** Lets an operator with a limit use the routes of {@link limitedOperationIds}, within the limit, and no others. */
export function limitRoutes(
  routes: readonly RouteBinding[],
  { getOperator, endpoints, create }: LimitRoutesOptions,
): readonly RouteBinding[] {
  /** The routes by limit. Few limits are in use. */
  const known = new Map<string, ReadonlyMap<string, RouteBinding>>()
  function open(limit: readonly EndpointLabels[]): ReadonlyMap<string, RouteBinding> {
    const name = JSON.stringify(limit)
    const found = known.get(name)
    if (found) return found
    const created = create(createFindIds(endpoints, limit))
    const opened = new Map(created.map((binding) => [binding.route.operationId, binding]))
    if (known.size >= 100) known.clear()
    known.set(name, opened)
    return opened
  }
  return routes.map((binding): RouteBinding => ({
    ...binding,
    async handler(request, context) {
      const { operationId } = binding.route
      const { endpoints: limit } = await getOperator(context.caller)
      if (limit === undefined) return await binding.handler(request, context)
      if (!limitedOperationIds.has(operationId)) refuse()
      return await (open(limit).get(operationId) ?? { handler: refuse }).handler(request, context)
    },
  }))
}

const maxEndpoints = 10_000
/** A change of an endpoint takes effect within this time, as in the gateway. */
const freshMs = 1000

/** Creates the function that finds the endpoints with all labels of one of the maps. */
function createFindIds(
  endpoints: EndpointOperations['endpoints'] | undefined,
  limit: readonly EndpointLabels[],
): FindEndpointIds {
  let readAt = -Infinity
  let reading: Promise<readonly string[]> = Promise.resolve([])
  async function read(): Promise<readonly string[]> {
    const pages = await Promise.all(
      limit.map(async (labels) => (await endpoints?.list({ labels, limit: maxEndpoints + 1 })) ?? []),
    )
    const ids = new Set(pages.flat().map(({ id }) => id))
    if (ids.size > maxEndpoints)
      throw new SallyportError('FORBIDDEN', `More than ${maxEndpoints} endpoints have the labels of your access`)
    return [...ids]
  }
  return () => {
    if (performance.now() - readAt >= freshMs) {
      readAt = performance.now()
      reading = read()
      reading.catch(() => {
        readAt = -Infinity
      })
    }
    return reading
  }
}
