import {
  answerList,
  createRouteGroup,
  dataEnvelope,
  defineListQuery,
  type RouteBinding,
} from '@sallyport/rest'
import type { Caller, RequestContext } from './context.ts'
import type { ReportAccountEvent } from './events.ts'
import { idParams } from '@sallyport/internal/resource-fields'
import type { Invitations } from './invitations.ts'
import {
  createdInvitationResource,
  createInvitationBody,
  invitationResource,
  toInvitation,
  type InvitationResource,
} from './invitation-schemas.ts'

const route = createRouteGroup<Caller>({ tags: ['invitations'], access: { roles: ['admin'] } })
const day = 24 * 60 * 60 * 1000

/** Creates the routes of invitations, for admins. */
export function invitationRoutes({
  invitations,
  onEvent,
}: {
  readonly invitations: Pick<Invitations, 'list' | 'create' | 'remove'>
  readonly onEvent: ReportAccountEvent
}): readonly RouteBinding<RequestContext>[] {
  return [
    route.get(
      '/invitations',
      {
        operationId: 'listInvitations',
        summary: 'List the invitations that are not used',
        query: defineListQuery({
          sortable: ['created_at'],
          defaultSort: '-created_at',
          fields: Object.keys(invitationResource.shape) as (keyof InvitationResource)[],
        }),
        responses: { 200: { description: 'A page of invitations', list: invitationResource } },
        etag: true,
      },
      ({ query }, context) =>
        answerList(query, context, (list) => invitations.list(list), { map: toInvitation }),
    ),
    route.post(
      '/invitations',
      {
        operationId: 'createInvitation',
        summary: 'Invite somebody to register',
        description: 'Pass the `token` on. It registers one user, with `POST /api/v1/users`.',
        body: createInvitationBody,
        bodyRequired: false,
        bodyExample: { email: 'ada@example.com', role: 'support', valid_days: 7 },
        responses: { 201: { description: 'The invitation with its token', data: createdInvitationResource } },
        errors: ['CONFLICT'],
      },
      async ({ body }, context) => {
        const { row, token } = await invitations.create({
          email: body.email,
          role: body.role,
          createdBy: context.caller.sub,
          validForMs: body.valid_days * day,
        })
        await onEvent('invitation.created', context, {
          route: '/invitations',
          status: 201,
          targetId: row.id,
          role: row.role,
        })
        return {
          status: 201,
          headers: { 'Cache-Control': 'no-store' },
          body: dataEnvelope({ ...toInvitation(row), token }),
        }
      },
    ),
    route.delete(
      '/invitations/{id}',
      {
        operationId: 'deleteInvitation',
        summary: 'Delete an invitation',
        params: idParams,
        responses: { 204: { description: 'The invitation is deleted' } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { id } }, context) => {
        await invitations.remove(id)
        await onEvent('invitation.deleted', context, {
          route: '/invitations/{id}',
          status: 204,
          targetId: id,
        })
        return { status: 204 }
      },
    ),
  ]
}
