import { SallyportError } from '@sallyport/errors'
import {
  bindRoute,
  checkPreconditions,
  dataEnvelope,
  defineRoute,
  hashETag,
  type CursorCodec,
  type RouteBinding,
} from '@sallyport/rest'
import type { OperatorInbox, Replayer } from '@sallyport/webhooks'
import type { RequestContext } from '../http/context.ts'
import { idParams } from '../resources/fields.ts'
import { replayMatching, republishedNote } from './bulk-replay.ts'
import { listDeliveriesRoute } from './list.ts'
import { bulkReplayBody, bulkReplayResource, deliveryDetail, replayBody, replayResource } from './schemas.ts'
import { toDetail } from './show.ts'

const common = { tags: ['deliveries'], access: { roles: ['admin'] } } as const

const getDelivery = defineRoute({
  ...common,
  method: 'GET',
  path: '/deliveries/{id}',
  operationId: 'getDelivery',
  summary: 'Get a delivery with its body, its events and their attempts',
  params: idParams,
  responses: { 200: { description: 'The delivery', data: deliveryDetail } },
  errors: ['NOT_FOUND'],
  etag: true,
})

const replayDelivery = defineRoute({
  ...common,
  method: 'POST',
  path: '/deliveries/{id}/replays',
  operationId: 'replayDelivery',
  summary: 'Replay a delivery',
  description:
    'Makes the events due again, under their ids. A bus that still knows the id of an event stores nothing: send `as_new` when a consumer lost the event. A delivery in quarantine is normalized again.',
  params: idParams,
  body: replayBody,
  bodyRequired: false,
  bodyExample: { as_new: true },
  responses: { 202: { description: 'The events that are due', data: replayResource } },
  errors: ['NOT_FOUND', 'CONFLICT'],
  idempotencyKey: true,
})

const replayDeliveries = defineRoute({
  ...common,
  method: 'POST',
  path: '/replays',
  operationId: 'replayDeliveries',
  summary: 'Replay the deliveries that match a filter',
  description: 'Oldest first. A request does as much as it can within seconds; `next` is for the rest.',
  body: bulkReplayBody,
  bodyExample: { status: 'dead', provider: 'codehost' },
  responses: { 202: { description: 'The events that are due', data: bulkReplayResource } },
  idempotencyKey: true,
})

const eraseDelivery = defineRoute({
  ...common,
  method: 'DELETE',
  path: '/deliveries/{id}/body',
  operationId: 'eraseDelivery',
  summary: 'Erase the content of a delivery',
  description:
    'Erases the body, the headers and the data of the events; ids, names and subjects stay. Refused while they are still needed. ' +
    'Copies outside of the inbox stay: events on an external bus or queue, lines of the log, messages to the operators, and backups.',
  params: idParams,
  responses: { 204: { description: 'The content is erased' } },
  errors: ['NOT_FOUND', 'CONFLICT'],
  etag: true,
})

/** Creates the routes of deliveries for operators. */
export function deliveryRoutes({
  inbox,
  replayer,
  cursors,
}: {
  readonly inbox: Pick<OperatorInbox, 'list' | 'countDeliveries' | 'get' | 'eraseBody'>
  readonly replayer: Replayer
  readonly cursors: CursorCodec
}): readonly RouteBinding<RequestContext>[] {
  return [
    listDeliveriesRoute(inbox),
    bindRoute(getDelivery, async ({ params: { id } }) => {
      const delivery = await inbox.get(id)
      if (delivery === undefined) throw unknownDelivery()
      return { status: 200, body: dataEnvelope(toDetail(delivery)) }
    }),
    bindRoute(replayDelivery, async ({ params: { id }, body }) => {
      const { deliveries } = await replayer.replay({ ids: [id] }, { asNew: body.as_new })
      const [replayed] = deliveries
      if (replayed === undefined) throw unknownDelivery()
      const { outcome, reason = null, events, republished = 0 } = replayed
      if (outcome === 'erased') {
        throw new SallyportError('CONFLICT', 'The content of this delivery was erased: it cannot be replayed')
      }
      const note = republishedNote(republished)
      return {
        status: 202,
        body: dataEnvelope({ delivery_id: id, outcome, reason, events: [...events], republished, note }),
      }
    }),
    bindRoute(replayDeliveries, async ({ body }) => ({
      status: 202,
      body: dataEnvelope(await replayMatching(body, { replayer, cursors })),
    })),
    bindRoute(eraseDelivery, async ({ params: { id } }, { conditions }) => {
      if (conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined) {
        const delivery = await inbox.get(id)
        if (delivery === undefined) throw unknownDelivery()
        const shown = JSON.stringify(dataEnvelope(toDetail(delivery)))
        checkPreconditions({ ...conditions, etag: hashETag(shown) })
      }
      if (!(await inbox.eraseBody(id))) throw unknownDelivery()
      return { status: 204 }
    }),
  ]
}

function unknownDelivery(): SallyportError {
  return new SallyportError('NOT_FOUND', 'There is no delivery with this id')
}
