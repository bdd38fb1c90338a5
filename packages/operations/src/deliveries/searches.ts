import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { OperatorInbox } from '@sallyport/webhooks'
import { z } from 'zod'
import type { FindEndpointNames } from '../endpoints/names.ts'
import { textField, time } from '@sallyport/internal/resource-fields'
import { criteriaShape, toFilter } from './criteria.ts'
import { decodePosition, encodePosition } from './position.ts'
import { deliveryResource } from './schemas.ts'
import { searchBodies } from './search-bodies.ts'
import { toDelivery } from './show.ts'

const route = createRouteGroup({ tags: ['deliveries'] })

const searchBody = z
  .strictObject(criteriaShape)
  .omit({ all: true })
  .extend({
    body: textField({ min: 3, max: 200, example: 'a@example.com' }).meta({
      description: 'The text in the body, in its case.',
    }),
    cursor: z.string().max(2048).default('').meta({ description: '`next` of the previous response.' }),
  })
  .meta({ id: 'SearchDeliveries' })

const searchResource = z
  .object({
    deliveries: z.array(deliveryResource),
    searched: z
      .int()
      .min(0)
      .meta({ description: 'How many deliveries were read.', examples: [2000] }),
    reached_at: time.nullable().meta({
      description:
        'When the last delivery that was read arrived. Older ones were not read, unless `stopped` is `end`.',
    }),
    stopped: z.enum(['end', 'matches', 'deliveries', 'time']).meta({
      description:
        'Why the search stopped: it read all deliveries, found enough, read the most deliveries, or took the most time.',
      examples: ['deliveries'],
    }),
    next: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor`, with the same body, to search on.', examples: [null] }),
  })
  .meta({ id: 'DeliverySearch' })

const bounds = { matches: 50, deliveries: 2000, forMs: 5000 }

/** Creates the route that finds deliveries by a text in their bodies. */
export function searchDeliveriesRoute(
  inbox: Pick<OperatorInbox, 'list' | 'get'>,
  findNames: FindEndpointNames,
  access: RouteAccess,
): RouteBinding {
  return route.post(
    '/searches',
    {
      operationId: 'searchDeliveries',
      tool: { readOnly: true },
      summary: 'Find deliveries by a text in their bodies',
      description:
        `Reads the stored bodies of the deliveries that match the other criteria, newest first. No index has the bodies: a request reads at most ${bounds.deliveries} deliveries, for ${bounds.forMs / 1000} seconds, and says where it stopped. ` +
        'Ids of services and values at search paths are found at once by the `text` of the list.',
      access,
      body: searchBody,
      bodyExample: { body: 'a@example.com', provider: 'codehost' },
      responses: { 200: { description: 'The deliveries that were found', data: searchResource } },
    },
    async ({ body: { body, cursor, ...others } }, { cursors }) => {
      if (cursors === undefined)
        throw new TypeError('A search has cursors: set secrets or cursors of the API')
      const filter = toFilter(others)
      const binding = JSON.stringify(['searches', body, filter])
      const after = cursor === '' ? undefined : decodePosition(cursors, cursor, binding)
      const { found, searched, last, stopped } = await searchBodies(inbox, body, filter, after, bounds)
      const names = await findNames(found.map(({ endpoint }) => endpoint))
      return {
        status: 200,
        body: dataEnvelope({
          deliveries: found.map((delivery) => toDelivery(delivery, names)),
          searched,
          reached_at: last ? new Date(last.receivedAt).toISOString() : null,
          stopped,
          next: last && stopped !== 'end' ? encodePosition(cursors, last, binding) : null,
        }),
      }
    },
  )
}
