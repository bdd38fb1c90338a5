import {
  createRouteGroup,
  requireCurrent,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { OperatorInbox } from '@sallyport/webhooks'
import type { RecordAction } from '../audit/record-action.ts'
import type { FindEndpointNames } from '../endpoints/names.ts'
import { idParams } from '@sallyport/internal/resource-fields'
import { readDetail, unknownDelivery } from './show.ts'

const route = createRouteGroup({ tags: ['deliveries'] })

/** Creates the route that erases the content of a delivery. */
export function eraseRoute(
  inbox: Pick<OperatorInbox, 'get' | 'eraseBody'>,
  findNames: FindEndpointNames,
  access: RouteAccess,
  record: RecordAction,
): RouteBinding {
  return route.delete(
    '/deliveries/{id}/body',
    {
      operationId: 'eraseDelivery',
      summary: 'Erase the content of a delivery',
      description:
        'Erases the body, the headers, the query, and the data, the subjects and the errors of the events. Their ids and names stay, so that a redelivery is a duplicate. Refused while they are still needed. ' +
        'Copies outside of the inbox stay: events on an external bus or queue, lines of the log, messages to the operators, and backups.',
      access,
      params: idParams,
      responses: { 204: { description: 'The content is erased' } },
      errors: ['NOT_FOUND', 'CONFLICT'],
      etag: true,
    },
    async ({ params: { id } }, context) => {
      const { ifMatch, ifNoneMatch } = context.conditions
      if (ifMatch !== undefined || ifNoneMatch !== undefined) {
        requireCurrent(context, await readDetail(inbox, findNames, id))
      }
      if (!(await inbox.eraseBody(id))) requireFound(undefined, unknownDelivery)
      await record(context, 'delivery.erase', { target: id })
      return { status: 204 }
    },
  )
}
