import { readRow } from '@sallyport/internal/destination-row'
import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import { time } from '@sallyport/internal/resource-fields'
import type { EventState, OperatorInbox } from '@sallyport/webhooks'
import { z } from 'zod'
import { destinationResponse } from '../deliveries/schemas.ts'
import { toFailure } from '../deliveries/show.ts'
import type { DestinationOperations } from '@sallyport/webhooks/destinations'
import { requireDestination } from './require.ts'
import { destinationParams } from './schemas.ts'

const route = createRouteGroup({ tags: ['destinations'] })

const states = ['pending', 'published', 'dead'] as const

const eventResource = z
  .object({
    id: z.string().meta({ examples: ['codehost:workflow_run.completed:289782451:1'] }),
    delivery_id: z.uuid(),
    name: z.string().meta({ examples: ['codehost/workflow_run.completed'] }),
    subject: z.string().meta({ examples: ['octo-org/octo-repo/actions/runs/289782451'] }),
    state: z.enum(states).meta({ description: '`published`: the destination accepted the event.' }),
    attempts: z
      .int()
      .min(0)
      .meta({ description: 'The failed attempts.', examples: [1] }),
    received_at: time,
    due_at: time.nullable(),
    published_at: time.nullable(),
    last_failure: z
      .object({
        at: time,
        error: z.string().meta({ examples: ['The destination answered 503'] }),
        response: destinationResponse.nullable(),
      })
      .nullable()
      .meta({ description: 'The newest failed attempt.' }),
  })
  .meta({ id: 'DestinationEvent' })

const eventsResource = z
  .object({
    events: z.array(eventResource),
    truncated: z.boolean().meta({ description: 'Whether there are more events.', examples: [false] }),
  })
  .meta({ id: 'DestinationEvents' })

/** Creates the route that lists the newest events of a destination. */
export function listDestinationEventsRoute(
  inbox: Required<Pick<OperatorInbox, 'destinationEvents'>>,
  destinations: Pick<DestinationOperations, 'list'>,
  access: RouteAccess,
): RouteBinding {
  return route.get(
    '/destinations/{name}/events',
    {
      operationId: 'listDestinationEvents',
      tool: {},
      summary: 'List the newest events of a destination',
      description:
        'By the receipt of their deliveries, the newest first. `GET /deliveries` with `destination` lists all of them.',
      access,
      params: destinationParams,
      query: z.strictObject({
        state: z.enum(states).optional(),
        limit: z.coerce
          .number<string>()
          .int()
          .min(1)
          .max(200)
          .default(50)
          .meta({ description: 'The number of events.', examples: [50] }),
      }),
      responses: { 200: { description: 'The newest events', data: eventsResource } },
      errors: ['NOT_FOUND'],
    },
    async ({ params: { name }, query: { state, limit } }) => {
      const found = await inbox.destinationEvents({
        ...{ destination: name, limit: limit + 1 },
        ...(state && { status: state }),
      })
      // Events outlive their destination.
      if (found.length === 0) await requireDestination(destinations, name)
      const events = found.slice(0, limit).map(toResource)
      return { status: 200, body: dataEnvelope({ events, truncated: found.length > limit }) }
    },
  )
}

function toResource(one: EventState): z.infer<typeof eventResource> {
  const { event, status, attempts, dueAt, publishedAt, failures } = one
  const last = failures.at(-1)
  return {
    id: readRow(event.id).id,
    delivery_id: event.source.deliveryId,
    name: event.name,
    subject: event.subject,
    // No event of a destination is queued.
    state: status === 'queued' ? 'pending' : status,
    attempts,
    received_at: new Date(event.source.receivedAt).toISOString(),
    due_at: dueAt === undefined ? null : new Date(dueAt).toISOString(),
    published_at: publishedAt === undefined ? null : new Date(publishedAt).toISOString(),
    last_failure: last ? toFailure(last) : null,
  }
}
