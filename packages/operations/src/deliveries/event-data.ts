import { readRow } from '@sallyport/internal/destination-row'
import { SallyportError } from '@sallyport/errors'
import { createRouteGroup, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { WebhookEvent, OperatorInbox } from '@sallyport/webhooks'
import { z } from 'zod'
import { idParams } from '@sallyport/internal/resource-fields'

const route = createRouteGroup({ tags: ['deliveries'] })

/**
 * Creates the option `dataref` of the dispatcher: a function that returns the URL of the data of an event in the operations
 * API.
 *
 * @param baseUrl the URL at which the API is mounted, such as `https://hooks.example.com/operations`; a path gives relative
 *   references
 *
 * @example
 * ```ts
 * import { createDataref } from '@sallyport/operations'
 *
 * const dataref = createDataref('https://hooks.example.com/operations')
 * ```
 */
export function createDataref(baseUrl: string): (event: WebhookEvent) => string {
  // The event id is in the query, because some proxies refuse or decode a `%2F` in a path.
  return ({ id: event, source }) =>
    `${baseUrl}/deliveries/${source.deliveryId}/data?${new URLSearchParams({ event }).toString()}`
}

/** Creates the route that consumers load the data of large events from. */
export function eventDataRoute(inbox: Pick<OperatorInbox, 'get'>, access: RouteAccess): RouteBinding {
  return route.get(
    '/deliveries/{id}/data',
    {
      operationId: 'getEventData',
      summary: 'Get the data of an event of a delivery',
      description:
        'An event that is too large for the bus has the URL of its data in `dataref`. The answer is the data alone, without an envelope. 404 after erasure and retention.',
      access,
      params: idParams,
      query: z.strictObject({
        event: z.string().meta({
          description: 'The id of the event.',
          examples: ['codehost:workflow_run.completed:289782451:1'],
        }),
      }),
      responses: { 200: { description: 'The data of the event', body: z.unknown() } },
      errors: ['NOT_FOUND', 'BODY_CHANGED', 'BODY_MISSING', 'BODY_UNAVAILABLE'],
    },
    async ({ params, query }) => {
      const delivery = await inbox.get(params.id)
      const found = delivery?.events.find(({ event }) => readRow(event.id).id === query.event)
      if (found === undefined)
        throw new SallyportError('NOT_FOUND', 'There is no delivery with this id and this event')
      if (found.event.data === undefined)
        throw new SallyportError('NOT_FOUND', 'The data of this event was erased')
      return { status: 200, body: found.event.data }
    },
  )
}
