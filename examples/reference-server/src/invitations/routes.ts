import {
  answerList,
  bindRoute,
  dataEnvelope,
  defineListQuery,
  defineRoute,
  type RouteBinding,
} from '@sallyport/rest'
import { requireCaller, type RequestContext } from '../http/context.ts'
import type { SecurityLog } from '../logging/security-log.ts'
import { idParams } from '../resources/fields.ts'
import type { Invitations } from './invitations.ts'
import {
  createdInvitationResource,
  createInvitationBody,
  invitationResource,
  toInvitation,
  type InvitationResource,
} from './schemas.ts'

const common = { tags: ['invitations'], access: { roles: ['admin'] } } as const
const day = 24 * 60 * 60 * 1000

const listInvitations = defineRoute({
  ...common,
  method: 'GET',
  path: '/invitations',
  operationId: 'listInvitations',
  summary: 'List the invitations that are not used',
  query: defineListQuery({
    sortable: ['created_at'],
    defaultSort: '-created_at',
    fields: Object.keys(invitationResource.shape) as (keyof InvitationResource)[],
  }),
  responses: { 200: { description: 'A page of invitations', list: invitationResource } },
  etag: true,
})

const createInvitation = defineRoute({
  ...common,
  method: 'POST',
  path: '/invitations',
  operationId: 'createInvitation',
  summary: 'Invite somebody to register',
  description: 'Pass the `token` on. It registers one user, with `POST /api/v1/users`.',
  body: createInvitationBody,
  bodyRequired: false,
  bodyExample: { email: 'ada@example.com', valid_days: 7 },
  responses: { 201: { description: 'The invitation with its token', data: createdInvitationResource } },
  errors: ['CONFLICT'],
})

const deleteInvitation = defineRoute({
  ...common,
  method: 'DELETE',
  path: '/invitations/{id}',
  operationId: 'deleteInvitation',
  summary: 'Delete an invitation',
  params: idParams,
  responses: { 204: { description: 'The invitation is deleted' } },
  errors: ['NOT_FOUND'],
})

/** Creates the routes of invitations, for admins. */
export function invitationRoutes({
  invitations,
  securityLog,
}: {
  readonly invitations: Pick<Invitations, 'list' | 'create' | 'remove'>
  readonly securityLog: Pick<SecurityLog, 'logSuccess'>
}): readonly RouteBinding<RequestContext>[] {
  return [
    bindRoute(listInvitations, ({ query }, context: RequestContext) =>
      answerList(query, context, (list) => invitations.list(list), { map: toInvitation }),
    ),
    bindRoute(createInvitation, async ({ body }, context: RequestContext) => {
      const { row, token } = await invitations.create({
        email: body.email,
        createdBy: requireCaller(context).sub,
        validForMs: body.valid_days * day,
      })
      const { path: route } = createInvitation
      securityLog.logSuccess('invitation.created', context, { route, status: 201, targetId: row.id })
      return {
        status: 201,
        headers: { 'Cache-Control': 'no-store' },
        body: dataEnvelope({ ...toInvitation(row), token }),
      }
    }),
    bindRoute(deleteInvitation, async ({ params: { id } }, context: RequestContext) => {
      await invitations.remove(id)
      const { path: route } = deleteInvitation
      securityLog.logSuccess('invitation.deleted', context, { route, status: 204, targetId: id })
      return { status: 204 }
    }),
  ]
}
