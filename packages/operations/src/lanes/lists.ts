import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { OperatorInbox } from '@sallyport/webhooks'
import { z } from 'zod'
import type { FindEndpointNames } from '../endpoints/names.ts'
import { laneParams, laneResource, laneStates, noLane, toLane, toLaneName } from './schemas.ts'

const route = createRouteGroup({ tags: ['lanes'] })

type ListInbox = Required<Pick<OperatorInbox, 'listLanes'>>

const maxLanes = 200

const lanesQuery = z.strictObject({
  state: z.enum(laneStates).optional(),
  order: z.enum(['attempts', 'oldest', 'busiest']).default('attempts').meta({
    description:
      '`attempts`: the most failed attempts at the first event first. `oldest`: the oldest first event first. `busiest`: the most pending events first.',
  }),
  limit: z.coerce
    .number<string>()
    .int()
    .min(1)
    .max(maxLanes)
    .default(50)
    .meta({ description: 'The number of lanes.', examples: [50] }),
})

const lanesResource = z
  .object({
    lanes: z.array(laneResource),
    truncated: z.boolean().meta({ description: 'Whether there are more lanes.', examples: [false] }),
  })
  .meta({ id: 'Lanes' })

/** Creates the routes that list lanes and show one. */
export function laneLists(
  inbox: ListInbox,
  findNames: FindEndpointNames,
  access: RouteAccess,
): readonly RouteBinding[] {
  return [
    route.get(
      '/lanes',
      {
        operationId: 'listLanes',
        tool: {},
        summary: 'List lanes',
        description: 'Lanes with pending events, and paused ones.',
        access,
        query: lanesQuery,
        responses: { 200: { description: 'The first lanes of the order', data: lanesResource } },
      },
      async ({ query: { state, order, limit } }) => {
        const found = await inbox.listLanes({ order, limit: limit + 1, ...(state && { state }) })
        const shown = found.slice(0, limit)
        const names = await findNames(shown.map(({ first }) => first?.endpoint))
        const lanes = shown.map((lane) => toLane(lane, names))
        return { status: 200, body: dataEnvelope({ lanes, truncated: found.length > limit }) }
      },
    ),
    route.get(
      '/lanes/{id}',
      {
        operationId: 'getLane',
        tool: {},
        summary: 'Get a lane',
        access,
        params: laneParams,
        responses: { 200: { description: 'The lane', data: laneResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { id } }) => {
        const [lane] = await inbox.listLanes({ order: 'oldest', name: toLaneName(id), limit: 1 })
        if (lane === undefined) throw noLane()
        const names = await findNames([lane.first?.endpoint])
        return { status: 200, body: dataEnvelope(toLane(lane, names)) }
      },
    ),
  ]
}
