import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { DestinationOperations } from '@sallyport/webhooks/destinations'
import type { RecordAction } from '../audit/record-action.ts'
import { requireCurrent } from './require.ts'
import {
  changedResource,
  destinationParams as params,
  destinationsResource,
  pauseBody,
  toDestination,
} from './schemas.ts'

const route = createRouteGroup({ tags: ['destinations'] })

interface DestinationRoutesOptions {
  readonly destinations: DestinationOperations
  readonly record: RecordAction
  readonly read: RouteAccess
  readonly write: RouteAccess
}

/** Creates the routes that list, pause and resume destinations. */
export function destinationRoutes({
  destinations,
  record,
  read,
  write,
}: DestinationRoutesOptions): readonly RouteBinding[] {
  const changed = { 200: { description: 'The result', data: changedResource } }
  const change = { access: write, params, responses: changed, errors: ['NOT_FOUND'] as const }

  return [
    route.get(
      '/destinations',
      {
        operationId: 'listDestinations',
        tool: {},
        summary: 'List destinations',
        access: read,
        responses: { 200: { description: 'The destinations by name', data: destinationsResource } },
      },
      async () => ({
        status: 200,
        body: dataEnvelope({ destinations: (await destinations.list()).map(toDestination) }),
      }),
    ),
    route.post(
      '/destinations/{name}/pause',
      {
        ...change,
        operationId: 'pauseDestination',
        tool: {},
        summary: 'Pause a destination',
        description: 'Its events wait until it is resumed. Running attempts end.',
        body: pauseBody,
        bodyRequired: false,
        bodyExample: { reason: 'Maintenance until 14:00' },
      },
      async ({ params: { name: target }, body }, context) => {
        await requireCurrent(destinations, target)
        const isChanged = await destinations.pause(target, body.reason)
        if (isChanged) await record(context, 'destination.pause', { target, detail: body })
        return { status: 200, body: dataEnvelope({ changed: isChanged }) }
      },
    ),
    route.post(
      '/destinations/{name}/resume',
      { ...change, operationId: 'resumeDestination', tool: {}, summary: 'Resume a paused destination' },
      async ({ params: { name: target } }, context) => {
        await requireCurrent(destinations, target)
        const isChanged = await destinations.resume(target)
        if (isChanged) await record(context, 'destination.resume', { target })
        return { status: 200, body: dataEnvelope({ changed: isChanged }) }
      },
    ),
  ]
}
