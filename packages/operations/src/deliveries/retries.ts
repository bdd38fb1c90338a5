import {
  createRouteGroup,
  dataEnvelope,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { DeliveryFilter, DispatcherInbox, OperatorInbox } from '@sallyport/webhooks'
import { z } from 'zod'
import type { RecordAction } from '../audit/record-action.ts'
import { idParams } from '@sallyport/internal/resource-fields'
import {
  anyCriterion,
  criteriaShape,
  describeCriteria,
  hasCriterion,
  requireCriterion,
  toFilter,
} from './criteria.ts'
import { unknownDelivery } from './show.ts'

const route = createRouteGroup({ tags: ['deliveries'] })

/** An inbox that can make events due. */
export type RetryInbox = Required<Pick<DispatcherInbox, 'makeDue'>>

const retryBody = z
  .strictObject(criteriaShape)
  .refine(hasCriterion, requireCriterion)
  .meta({ id: 'RetryEvents', anyOf: anyCriterion })

const retryResource = z
  .object({
    events: z
      .int()
      .min(0)
      .meta({ description: 'How many events are due.', examples: [1] }),
    more: z
      .boolean()
      .meta({ description: 'Whether more events wait: send the request again.', examples: [false] }),
  })
  .meta({ id: 'Retry' })

/** The limits of one request. */
const budget = { portion: 1000, ms: 5000 }

async function retryMatching(
  inbox: RetryInbox,
  filter: DeliveryFilter,
): Promise<z.infer<typeof retryResource>> {
  const startedAt = performance.now()
  for (let events = 0; ;) {
    const count = await inbox.makeDue({ filter, limit: budget.portion })
    events += count
    const more = count === budget.portion
    if (!more || performance.now() - startedAt > budget.ms) return { events, more }
  }
}

/** Creates the route that makes the waiting events of one delivery due. */
export function retryDeliveryRoute(
  inbox: RetryInbox & Pick<OperatorInbox, 'get'>,
  access: RouteAccess,
  record: RecordAction,
): RouteBinding {
  return route.post(
    '/deliveries/{id}/retries',
    {
      operationId: 'retryDelivery',
      tool: {},
      summary: 'Retry the waiting events of a delivery now',
      description:
        'Makes pending events due at once that wait for a retry. Their attempts stay. Dead and published events need a replay.',
      access,
      params: idParams,
      responses: { 202: { description: 'The number of events that are due', data: retryResource } },
      errors: ['NOT_FOUND'],
    },
    async ({ params: { id } }, context) => {
      const result = await retryMatching(inbox, { id })
      if (result.events === 0) requireFound(await inbox.get(id), unknownDelivery)
      await record(context, 'events.retry', { target: id, detail: { events: result.events } })
      return { status: 202, body: dataEnvelope(result) }
    },
  )
}

/** Creates the route that makes waiting events due that match a filter. */
export function retryEventsRoute(inbox: RetryInbox, access: RouteAccess, record: RecordAction): RouteBinding {
  return route.post(
    '/retries',
    {
      operationId: 'retryEvents',
      tool: {},
      summary: 'Retry the waiting events that match a filter now',
      description:
        'Makes pending events due at once that wait for a retry, oldest first. Their attempts stay. Dead and published events need a replay. The dispatcher does the same by itself when a bus that was unavailable accepts events again.',
      access,
      body: retryBody,
      bodyExample: { provider: 'codehost' },
      responses: { 202: { description: 'The number of events that are due', data: retryResource } },
    },
    async ({ body }, context) => {
      const result = await retryMatching(inbox, toFilter(body))
      await record(context, 'events.retry', { detail: { ...describeCriteria(body), events: result.events } })
      return { status: 202, body: dataEnvelope(result) }
    },
  )
}
