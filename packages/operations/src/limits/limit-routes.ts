import type { RouteBinding } from '@sallyport/rest'
import type { WebhookOperations } from '@sallyport/webhooks/node'
import { SallyportError } from '@sallyport/errors'
import { parseSelector, type Labels } from '@sallyport/internal/label-selector'
import { findLimit, type GetOperator } from '../access.ts'
import { refuse, type FindEndpointIds } from './limited-operations.ts'

/**
 * The operations that serve an operator with a limit; all others answer 403. The routes of these operations use the limited
 * parts of the webhooks only.
 */
const limitable: ReadonlySet<string> = new Set([
  'getOperator',
  ...['listDeliveries', 'getDelivery', 'getEventData', 'searchDeliveries', 'streamDeliveries'],
  ...['replayDelivery', 'replayDeliveries', 'retryDelivery', 'retryEvents', 'cancelEvents'],
  ...['eraseDelivery', 'eraseDeliveries', 'listFailures', 'listEvents', 'streamEvents'],
  ...['listUnprocessedDeliveries', 'getUnprocessedDelivery', 'getUnprocessedDiagnosis'],
  ...['replayUnprocessedDelivery', 'listEndpoints', 'getEndpoint', 'listProviders', 'getProvider'],
])

/** Reports whether an operation serves operators with a limit. */
export const isLimitable = (operationId: string): boolean => limitable.has(operationId)

interface LimitRoutesOptions {
  readonly getOperator: GetOperator
  readonly sources: LimitSources
  /** Creates the routes over the parts of these endpoints. */
  readonly create: (findIds: FindEndpointIds) => readonly RouteBinding[]
}

/** Lets an operator with a limit use the routes of limitable operations, within the limit, and no others. */
export function limitRoutes(
  routes: readonly RouteBinding[],
  { getOperator, sources, create }: LimitRoutesOptions,
): readonly RouteBinding[] {
  /** The routes by limit. Few limits are in use. */
  const known = new Map<string, ReadonlyMap<string, RouteBinding>>()
  function open(limits: readonly string[]): ReadonlyMap<string, RouteBinding> {
    const name = JSON.stringify(limits)
    const found = known.get(name)
    if (found) return found
    const created = create(createFindIds(sources, limits))
    const opened = new Map(created.map((binding) => [binding.route.operationId, binding]))
    if (known.size >= 50) known.clear()
    known.set(name, opened)
    return opened
  }
  return routes.map((binding): RouteBinding => ({
    ...binding,
    async handler(request, context) {
      const { operationId } = binding.route
      const limits = findLimit(await getOperator(context.caller))
      if (limits === undefined) return await binding.handler(request, context)
      if (!isLimitable(operationId)) refuse()
      return await (open(limits).get(operationId) ?? { handler: refuse }).handler(request, context)
    },
  }))
}

type LimitSources = Pick<WebhookOperations, 'endpoints' | 'declaredEndpoints'>

const maxEndpoints = 10_000
/** A change of an endpoint takes effect within this time, as in the gateway. */
const freshMs = 1000

/** Creates the function that finds the endpoints that all limits match. @throws TypeError for a malformed limit */
function createFindIds(
  { endpoints: stored, declaredEndpoints }: LimitSources,
  limits: readonly string[],
): FindEndpointIds {
  const selectors = limits.map(parseSelector)
  let readAt = -Infinity
  let reading: Promise<readonly string[]> = Promise.resolve([])
  async function select(alternatives: readonly Labels[]): Promise<ReadonlySet<string>> {
    const pages = await Promise.all(
      alternatives.map(
        async (labels) => (await stored?.endpoints.list({ labels, limit: maxEndpoints + 1 })) ?? [],
      ),
    )
    const ids = new Set(pages.flat().map(({ id }) => id))
    // The gateway finds a declared endpoint before a stored one with its id.
    for (const { id, labels = {} } of declaredEndpoints?.() ?? [])
      if (alternatives.some((wanted) => hasLabels(labels, wanted))) ids.add(id)
      else ids.delete(id)
    if (ids.size <= maxEndpoints) return ids
    throw new SallyportError(
      'FORBIDDEN',
      `More than ${maxEndpoints} endpoints have the labels of your access`,
    )
  }
  async function read(): Promise<readonly string[]> {
    const [first = new Set<string>(), ...others] = await Promise.all(selectors.map(select))
    return [...first].filter((id) => others.every((ids) => ids.has(id)))
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

const hasLabels = (labels: Labels, wanted: Labels): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)
