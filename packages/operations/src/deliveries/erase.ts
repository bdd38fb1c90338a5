import {
  bindRoute,
  defineRoute,
  requireCurrent,
  requireFound,
  type ApiContext,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { OperatorInbox } from '@sallyport/webhooks'
import type { RecordAction } from '../audit/record-action.ts'
import { idParams } from '../fields.ts'
import { toDetail, unknownDelivery } from './show.ts'

/** Creates the route that erases the content of a delivery. */
export function eraseRoute(
  inbox: Pick<OperatorInbox, 'get' | 'eraseBody'>,
  access: RouteAccess,
  record: RecordAction,
): RouteBinding<ApiContext> {
  const eraseDelivery = defineRoute({
    method: 'DELETE',
    path: '/deliveries/{id}/body',
    operationId: 'eraseDelivery',
    summary: 'Erase the content of a delivery',
    description:
      'Erases the body, the headers, the query and the data of the events; ids, names and subjects stay. Refused while they are still needed. ' +
      'Copies outside of the inbox stay: events on an external bus or queue, lines of the log, messages to the operators, and backups.',
    tags: ['deliveries'],
    access,
    params: idParams,
    responses: { 204: { description: 'The content is erased' } },
    errors: ['NOT_FOUND', 'CONFLICT'],
    etag: true,
  })
  return bindRoute(eraseDelivery, async ({ params: { id } }, context: ApiContext) => {
    const { ifMatch, ifNoneMatch } = context.conditions
    if (ifMatch !== undefined || ifNoneMatch !== undefined) {
      requireCurrent(context, toDetail(requireFound(await inbox.get(id), unknownDelivery)))
    }
    if (!(await inbox.eraseBody(id))) requireFound(undefined, unknownDelivery)
    await record(context, 'delivery.erase', { target: id })
    return { status: 204 }
  })
}
