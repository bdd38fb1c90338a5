import { createRouteGroup, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { ServerSentEvent } from '@sallyport/rest/event-stream'
import type { OperatorInbox, PublishedQuery } from '@sallyport/webhooks'
import type { FindEndpointNames } from '../endpoints/names.ts'
import { createStreamQuery } from '../streams/query.ts'
import { createPositions, type StreamPositions, type Streams } from '../streams/streams.ts'
import { createTail, type Tail } from '../streams/tail.ts'
import { eventFilters, eventResource, toResource, type EventResource } from './list.ts'

const route = createRouteGroup({ tags: ['events'] })

/** The size of a portion: events have data of any size, and a slow client keeps a portion in memory. */
const portion = { bytes: 1024 * 1024, firstLimit: 10, maxLimit: 200 }

/** Creates the route that sends events as they are published. */
export function streamEventsRoute(
  inbox: Pick<OperatorInbox, 'published'>,
  findNames: FindEndpointNames,
  access: RouteAccess,
  streams: Streams,
): RouteBinding {
  const tail = createTail({ read: () => readLastPublished(inbox), onWork: streams.onWork })
  return route.get(
    '/events/stream',
    {
      operationId: 'streamEvents',
      summary: 'Watch events as they are published',
      description:
        'Server-Sent Events of the type `event`. `data` is an event as in the list; `id` is the position in the stream. Each event is sent once, in the order of the first publication, also from other processes. A client that connects again with `Last-Event-ID` misses no event and receives none twice. A comment every 15 seconds keeps the connection open.',
      access,
      query: createStreamQuery(eventFilters),
      responses: {
        200: {
          description: 'The events',
          events: eventResource,
          example: 'id: 3q2-7wAAAAB…\nevent: event\ndata: {"id":"…"}\n\n',
        },
      },
      errors: ['OVERLOADED'],
    },
    async ({ query }, context) => {
      const positions = createPositions(context.cursors, 'events/stream')
      const { after, ...filter } = query
      const [sequence = await tail.read()] = positions.decode(context, after) ?? []
      return streams.open(context, (signal) =>
        readEvents({ inbox, findNames, tail, positions, filter, sequence, signal }),
      )
    },
  )
}

/** Returns the newest sequence. Sequences appear in the order of commits. */
async function readLastPublished(inbox: Pick<OperatorInbox, 'published'>): Promise<number> {
  const [newest] = await inbox.published({ before: Number.MAX_SAFE_INTEGER, limit: 1 })
  return newest?.sequence ?? 0
}

async function* readEvents({
  inbox,
  findNames,
  tail,
  positions,
  filter,
  sequence: first,
  signal,
}: {
  readonly inbox: Pick<OperatorInbox, 'published'>
  readonly findNames: FindEndpointNames
  readonly tail: Tail
  readonly positions: StreamPositions
  readonly filter: Omit<PublishedQuery, 'limit' | 'after'>
  readonly sequence: number
  readonly signal: AbortSignal
}): AsyncGenerator<ServerSentEvent<EventResource>> {
  let sequence = first
  let limit = portion.firstLimit
  yield { id: positions.encode(sequence) }
  for (;;) {
    const upTo = await tail.waitBeyond(sequence, signal)
    for (let isLast = false; !isLast;) {
      const page = await inbox.published({ ...filter, after: sequence, limit })
      isLast = page.length < limit
      const names = await findNames(page.map(({ event }) => event.source.endpoint))
      let bytes = 0
      for (const published of page) {
        const data = toResource(published, names)
        bytes += JSON.stringify(data).length
        sequence = published.sequence
        yield { id: positions.encode(sequence), event: 'event', data }
      }
      if (page.length > 0)
        limit = Math.min(portion.maxLimit, Math.max(1, Math.floor((portion.bytes * page.length) / bytes)))
    }
    // All events up to this sequence were visible to the query. Without data, a client dispatches nothing.
    if (sequence < upTo) {
      sequence = upTo
      yield { id: positions.encode(sequence) }
    }
  }
}
