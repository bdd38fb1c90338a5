import { SallyportError } from '@sallyport/errors'
import {
  createRouteGroup,
  dataEnvelope,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { OperatorInbox, Replayer } from '@sallyport/webhooks'
import type { RecordAction } from '../audit/record-action.ts'
import { idParams } from '@sallyport/internal/resource-fields'
import { describeEffect, replayMatching } from './bulk-replay.ts'
import { describeCriteria, toFilter } from './criteria.ts'
import { bulkReplayBody, bulkReplayResource, dryRunResource, replayBody, replayResource } from './schemas.ts'
import { unknownDelivery } from './show.ts'

const route = createRouteGroup({ tags: ['deliveries'] })

/** Creates the route that replays one delivery. */
export function replayDeliveryRoute(
  replayer: Replayer,
  access: RouteAccess,
  record: RecordAction,
): RouteBinding {
  return route.post(
    '/deliveries/{id}/replays',
    {
      operationId: 'replayDelivery',
      tool: {},
      summary: 'Replay a delivery',
      description:
        'Makes the events due again, under their ids. A bus that still knows the id of an event stores nothing: send `as_new` when a consumer lost the event. A consumer skips an event that it has recorded as handled: `reprocess` lets it handle the event again. A delivery in quarantine is normalized again.',
      access,
      params: idParams,
      body: replayBody,
      bodyRequired: false,
      bodyExample: { as_new: true },
      responses: { 202: { description: 'The events that are due', data: replayResource } },
      errors: ['NOT_FOUND', 'CONFLICT'],
      idempotencyKey: true,
    },
    async ({ params: { id }, body }, context) => {
      const { deliveries } = await replayer.replay(
        { ids: [id] },
        {
          asNew: body.as_new,
          reprocess: body.reprocess,
          ...(body.destination !== undefined && { destination: body.destination }),
        },
      )
      const [delivery] = deliveries
      const {
        outcome,
        reason = null,
        events,
        republished = 0,
        handled = 0,
      } = requireFound(delivery, unknownDelivery)
      if (outcome === 'erased') {
        throw new SallyportError('CONFLICT', 'The content of this delivery was erased: it cannot be replayed')
      }
      await record(context, 'delivery.replay', {
        target: id,
        detail: { ...body, outcome, events: events.length },
      })
      const note = describeEffect({ republished, handled }, body.reprocess)
      return {
        status: 202,
        body: dataEnvelope({
          delivery_id: id,
          outcome,
          reason,
          events: [...events],
          republished,
          handled,
          note,
        }),
      }
    },
  )
}

// A count takes time in proportion to the deliveries.
const dryRunLimit = 100_000

/** Creates the route that replays the deliveries that match a filter. */
export function replayDeliveriesRoute(
  replayer: Replayer,
  inbox: Partial<Pick<OperatorInbox, 'countDeliveries'>>,
  access: RouteAccess,
  record: RecordAction,
): RouteBinding {
  return route.post(
    '/replays',
    {
      operationId: 'replayDeliveries',
      summary: 'Replay the deliveries that match a filter',
      description: 'Oldest first. A request does as much as it can within seconds; `next` is for the rest.',
      access,
      body: bulkReplayBody,
      bodyExample: { status: 'dead', provider: 'codehost' },
      responses: {
        200: { description: 'The number of matching deliveries, for `dry_run`', data: dryRunResource },
        202: { description: 'The events that are due', data: bulkReplayResource },
      },
      idempotencyKey: true,
    },
    async ({ body: { dry_run, ...body } }, context) => {
      const { cursors } = context
      if (dry_run) {
        if (inbox.countDeliveries === undefined)
          throw new SallyportError('VALIDATION_ERROR', 'The inbox cannot count deliveries: omit dry_run')
        const count = await inbox.countDeliveries(toFilter(body), { countUpTo: dryRunLimit + 1 })
        const deliveries = Math.min(count, dryRunLimit)
        return { status: 200, body: dataEnvelope({ deliveries, truncated: count > dryRunLimit }) }
      }
      if (cursors === undefined)
        throw new TypeError('A bulk replay has cursors: set secrets or cursors of the API')
      const result = await replayMatching(body, { replayer, cursors })
      const { deliveries, replayed, events } = result
      await record(context, 'deliveries.replay', {
        detail: { ...describeCriteria(body), cursor: undefined, deliveries, replayed, events },
      })
      return { status: 202, body: dataEnvelope(result) }
    },
  )
}
