import { createRouteGroup, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { ServerSentEvent } from '@sallyport/rest/event-stream'
import type { DeliveryFilter, DeliveryPosition, DeliverySummary, OperatorInbox } from '@sallyport/webhooks'
import type { EndpointNames, FindEndpointNames } from '../endpoints/names.ts'
import { createStreamQuery } from '../streams/query.ts'
import { createPositions, type StreamPositions, type Streams } from '../streams/streams.ts'
import { createTail, type Tail } from '../streams/tail.ts'
import { deliveryFilters, toListFilter } from './criteria.ts'
import { deliveryResource, type DeliveryResource } from './schemas.ts'
import { toDelivery } from './show.ts'

const route = createRouteGroup({ tags: ['deliveries'] })

/** Deliveries that are read at once. */
const portion = 100

type StreamInbox = Pick<OperatorInbox, 'list' | 'lastRecorded' | 'recorded'>

/** Where a stream continues: in the list of earlier deliveries, or after a sequence. */
interface Start {
  /** The last sequence that the stream has passed, or that is part of the earlier deliveries. */
  readonly sequence: number
  /** Set while earlier deliveries are sent. */
  readonly history?: { readonly after?: DeliveryPosition }
}

/** Creates the route that sends deliveries as they are recorded. */
export function streamDeliveriesRoute(
  inbox: StreamInbox,
  findNames: FindEndpointNames,
  access: RouteAccess,
  streams: Streams,
): RouteBinding {
  const tail = createTail({ read: () => inbox.lastRecorded(), onWork: streams.onWork })
  return route.get(
    '/deliveries/stream',
    {
      operationId: 'streamDeliveries',
      summary: 'Watch deliveries as they are recorded',
      description:
        'Server-Sent Events of the type `delivery`. `data` is a delivery as in the list, with its status at the time of sending; `id` is the position in the stream. Each delivery is sent once, in the order of its record, also from other processes. With `receivedAfter`, the earlier deliveries that match come first. A client that connects again with `Last-Event-ID` misses no delivery and receives none twice. A comment every 15 seconds keeps the connection open.',
      access,
      query: createStreamQuery(deliveryFilters),
      responses: {
        200: {
          description: 'The deliveries',
          events: deliveryResource,
          example: 'id: 3q2-7wAAAAB…\nevent: delivery\ndata: {"id":"…"}\n\n',
        },
      },
      errors: ['OVERLOADED'],
    },
    async ({ query }, context) => {
      const positions = createPositions(context.cursors, 'deliveries/stream')
      const { after, ...filters } = query
      const filter = toListFilter(filters)
      const start = await findStart(tail, positions.decode(context, after), filter)
      return streams.open(context, (signal) =>
        readDeliveries({ inbox, findNames, tail, positions, filter, start, signal }),
      )
    },
  )
}

async function findStart(
  tail: Tail,
  position: readonly number[] | undefined,
  filter: DeliveryFilter,
): Promise<Start> {
  const [sequence, receivedAt, last] = position ?? []
  if (sequence === undefined) {
    return { sequence: await tail.read(), ...(filter.receivedAfter !== undefined && { history: {} }) }
  }
  if (receivedAt === undefined || last === undefined) return { sequence }
  return { sequence, history: { after: { receivedAt, sequence: last } } }
}

async function* readDeliveries({
  inbox,
  findNames,
  tail,
  positions,
  filter,
  start,
  signal,
}: {
  readonly inbox: StreamInbox
  readonly findNames: FindEndpointNames
  readonly tail: Tail
  readonly positions: StreamPositions
  readonly filter: DeliveryFilter
  readonly start: Start
  readonly signal: AbortSignal
}): AsyncGenerator<ServerSentEvent<DeliveryResource>> {
  let { sequence } = start
  yield { id: encodeStart(positions, start) }
  if (start.history) yield* readHistory(inbox, findNames, positions, filter, start)
  for (;;) {
    const upTo = await tail.waitBeyond(sequence, signal)
    while (sequence < upTo) {
      const { deliveries, next } = await inbox.recorded({ ...filter, after: sequence, upTo, limit: portion })
      const names = await findNames(deliveries.map(({ endpoint }) => endpoint))
      for (const delivery of deliveries) yield toEvent(delivery, names, positions.encode(delivery.sequence))
      sequence = next
    }
    // A client that connects again skips the deliveries that do not match. Without data, a client dispatches nothing.
    yield { id: positions.encode(sequence) }
  }
}

/** Reads the earlier deliveries in the order of the list, up to the sequence at which the stream started. */
async function* readHistory(
  inbox: StreamInbox,
  findNames: FindEndpointNames,
  positions: StreamPositions,
  filter: DeliveryFilter,
  { sequence, history }: Start,
): AsyncGenerator<ServerSentEvent<DeliveryResource>> {
  let after = history?.after
  for (let isLast = false; !isLast;) {
    const page = await inbox.list({ ...filter, order: 'oldest', ...(after && { after }), limit: portion })
    const names = await findNames(page.map(({ endpoint }) => endpoint))
    for (const delivery of page) {
      after = { receivedAt: delivery.receivedAt, sequence: delivery.sequence }
      // Later deliveries follow in the order of their record.
      if (delivery.sequence <= sequence)
        yield toEvent(delivery, names, encodeStart(positions, { sequence, history: { after } }))
    }
    isLast = page.length < portion
  }
}

function encodeStart(positions: StreamPositions, { sequence, history }: Start): string {
  if (history === undefined) return positions.encode(sequence)
  const { receivedAt, sequence: last } = history.after ?? { receivedAt: -1, sequence: 0 }
  return positions.encode(sequence, receivedAt, last)
}

const toEvent = (
  delivery: DeliverySummary,
  names: EndpointNames,
  id: string,
): ServerSentEvent<DeliveryResource> => ({
  id,
  event: 'delivery',
  data: toDelivery(delivery, names),
})
