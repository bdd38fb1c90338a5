import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { DeliveryFilter, OperatorInbox } from '@sallyport/webhooks'
import { z } from 'zod'
import type { RecordAction } from '../audit/record-action.ts'
import {
  anyCriterion,
  criteriaShape,
  describeCriteria,
  hasCriterion,
  requireCriterion,
  toFilter,
} from './criteria.ts'
import { whileBusy } from './while-busy.ts'

const route = createRouteGroup({ tags: ['deliveries'] })

const cancelBody = z
  .strictObject(criteriaShape)
  .refine(hasCriterion, requireCriterion)
  .meta({ id: 'CancelEvents', anyOf: anyCriterion })

const count = z.int().min(0)

const cancelResource = z
  .object({
    events: count.meta({ description: 'How many events are cancelled.', examples: [12] }),
    busy: count.meta({
      description: 'How many events stay pending, because an attempt runs: send the request again.',
      examples: [0],
    }),
    more: z
      .boolean()
      .meta({ description: 'Whether more events match: send the request again.', examples: [false] }),
  })
  .meta({ id: 'Cancellation' })

/** The limits of one request. */
const budget = { portion: 1000, ms: 5000 }

function cancelMatching(
  inbox: Pick<OperatorInbox, 'cancel'>,
  filter: DeliveryFilter,
): Promise<z.infer<typeof cancelResource>> {
  const startedAt = performance.now()
  let cancelled = 0
  async function cancel() {
    for (;;) {
      const { events, busy } = await inbox.cancel({ filter, limit: budget.portion })
      cancelled += events
      const more = events === budget.portion
      if (!more || performance.now() - startedAt > budget.ms) return { events: cancelled, busy, more }
    }
  }
  return whileBusy(cancel, ({ busy, more }) => busy > 0 && !more)
}

/** Creates the route that cancels the pending events that match a filter. */
export function cancelEventsRoute(
  inbox: Pick<OperatorInbox, 'cancel'>,
  access: RouteAccess,
  record: RecordAction,
): RouteBinding {
  return route.post(
    '/cancellations',
    {
      operationId: 'cancelEvents',
      summary: 'Cancel the pending events that match a filter',
      description:
        'Pending events become dead letters with the error `Cancelled by an operator`, oldest first, and can be replayed. Queued and published events stay.',
      access,
      body: cancelBody,
      bodyExample: { endpoint: '5Xo2aPq0VnTr8hZkWm3uYd' },
      responses: { 200: { description: 'The number of cancelled events', data: cancelResource } },
    },
    async ({ body }, context) => {
      const result = await cancelMatching(inbox, toFilter(body))
      await record(context, 'events.cancel', { detail: { ...describeCriteria(body), events: result.events } })
      return { status: 200, body: dataEnvelope(result) }
    },
  )
}
