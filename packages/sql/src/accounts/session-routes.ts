import type { Session, Sessions } from '@sallyport/auth'
import { SallyportError } from '@sallyport/errors'
import {
  answerList,
  checkPreconditions,
  createRouteGroup,
  dataEnvelope,
  defineListQuery,
  hashETag,
  type AuthenticatedContext,
  type RouteBinding,
} from '@sallyport/rest'
import type { Caller, RequestContext } from './context.ts'
import type { ReportAccountEvent } from './events.ts'
import { idParams } from '@sallyport/internal/resource-fields'
import { requireOwnership } from '../resources/changes.ts'
import type { Logins } from './logins.ts'
import type { Users } from './users.ts'
import {
  grantResource,
  logInBody,
  refreshBody,
  sessionResource,
  toSession,
  type SessionResource,
} from './session-schemas.ts'

const route = createRouteGroup<Caller>({ tags: ['sessions'] })

export function sessionRoutes(options: {
  readonly sessions: Sessions
  readonly logins: Logins
  readonly users: Pick<Users, 'get'>
  readonly onEvent: ReportAccountEvent
  /** The mount path of the API in `Location`. @default that of the request */
  readonly mountPath?: string | undefined
}): readonly RouteBinding<RequestContext>[] {
  const { sessions, logins, users, onEvent, mountPath } = options

  /** Returns a session of the caller. @throws SallyportError 404 `NOT_FOUND`, also for sessions of other users */
  async function own(id: string, { caller }: AuthenticatedContext<Caller>): Promise<Session> {
    const session = await sessions.get(id)
    if (session?.userId === caller.sub) return session
    throw new SallyportError('NOT_FOUND', 'There is no such session')
  }

  return [
    route.post(
      '/sessions',
      {
        operationId: 'createSession',
        summary: 'Log in',
        description:
          'Send the `access_token` with other requests. It is valid for `expires_in` seconds; the `refresh_token` gets a new one.',
        access: 'public',
        body: logInBody,
        bodyExample: { email: 'ada@example.com', password: 'an analytical engine' },
        responses: {
          201: {
            description: 'The session and its tokens',
            data: grantResource,
            headers: { Location: 'The address of the session' },
          },
        },
        errors: ['INVALID_CREDENTIALS', 'ACCOUNT_SUSPENDED', 'OVERLOADED', 'SERVICE_UNAVAILABLE'],
        rateLimit: 'logins',
      },
      async ({ body }, context) => {
        const { path, clientNetwork, showRateLimit } = context
        const grant = await logins.logIn(body, clientNetwork, showRateLimit)
        await onEvent('login.succeeded', context, {
          route: '/sessions',
          status: 201,
          userId: grant.user_id,
          sessionId: grant.id,
        })
        return {
          status: 201,
          headers: { Location: `${mountPath ?? context.mountPath}${path}/${grant.id}` },
          body: dataEnvelope(grant),
        }
      },
    ),
    route.post(
      '/sessions/{id}/tokens',
      {
        operationId: 'createToken',
        summary: 'Exchange a refresh token for a new pair of tokens',
        description: 'A refresh token works once. A second use ends the session.',
        access: 'public',
        params: idParams,
        body: refreshBody,
        responses: {
          201: {
            description: 'The session and its new tokens',
            data: grantResource,
            headers: { Location: 'The address of the session' },
          },
        },
        errors: ['INVALID_TOKEN'],
        rateLimit: 'auth',
      },
      async ({ params, body }, { path, clientNetwork, mountPath: requested }) => {
        const grant = await logins.refresh(params.id, body.refresh_token, clientNetwork)
        return {
          status: 201,
          headers: { Location: (mountPath ?? requested) + path.replace(/(?<=\/)[^/]+\/tokens$/, grant.id) },
          body: dataEnvelope(grant),
        }
      },
    ),
    route.get(
      '/sessions',
      {
        operationId: 'listSessions',
        summary: 'List your sessions',
        description:
          'The sessions that have neither ended nor expired, the newest first unless `sort` says otherwise.',
        query: defineListQuery({
          sortable: ['created_at'],
          defaultSort: '-created_at',
          fields: Object.keys(sessionResource.shape) as (keyof SessionResource)[],
        }),
        responses: { 200: { description: 'A page of sessions', list: sessionResource } },
        etag: true,
      },
      async ({ query }, context) => {
        const all = await sessions.list(context.caller.sub)
        return await answerList(query, context, all.map(toSession))
      },
    ),
    route.get(
      '/sessions/{id}',
      {
        operationId: 'getSession',
        summary: 'Get one of your sessions',
        description: 'A session of another user is answered with 404.',
        params: idParams,
        responses: { 200: { description: 'The session', data: sessionResource } },
        errors: ['NOT_FOUND'],
        etag: true,
      },
      async ({ params }, context) => {
        const session = await own(params.id, context)
        return {
          status: 200,
          headers: { ETag: createSessionETag(session) },
          body: dataEnvelope(toSession(session)),
        }
      },
    ),
    route.delete(
      '/sessions/{id}',
      {
        operationId: 'deleteSession',
        summary: 'End one of your sessions and its tokens',
        description: 'Logs out. A session of another user is answered with 404.',
        params: idParams,
        responses: { 204: { description: 'The session has ended' } },
        errors: ['NOT_FOUND'],
        etag: true,
      },
      async ({ params }, context) => {
        const session = await own(params.id, context)
        checkPreconditions({ ...context.conditions, etag: createSessionETag(session) })
        await sessions.revoke(session.id)
        await onEvent('logout.succeeded', context, {
          route: '/sessions/{id}',
          status: 204,
          sessionId: session.id,
        })
        return { status: 204 }
      },
    ),
    route.delete(
      '/sessions/all',
      {
        operationId: 'deleteAllSessions',
        summary: 'End the sessions of all users and their tokens',
        description: 'Logs everyone out, the caller too. API keys stay.',
        access: { roles: ['admin'] },
        responses: { 204: { description: 'The sessions have ended' } },
      },
      async (_, context) => {
        await sessions.revokeAll()
        await onEvent('users.logged_out', context, { route: '/sessions/all', status: 204 })
        return { status: 204 }
      },
    ),
    route.delete(
      '/users/{id}/sessions',
      {
        operationId: 'deleteUserSessions',
        summary: 'End all sessions of a user and their tokens',
        description: 'Logs the user out everywhere. The user and admins may do this. API keys stay.',
        params: idParams,
        responses: { 204: { description: 'The sessions have ended' } },
        errors: ['NOT_FOUND', 'FORBIDDEN'],
      },
      async ({ params }, context) => {
        const { id } = await users.get(params)
        requireOwnership(context, id)
        await sessions.revokeUser(id)
        await onEvent('user.logged_out', context, {
          route: '/users/{id}/sessions',
          status: 204,
          targetId: id,
        })
        return { status: 204 }
      },
    ),
  ]
}

/** Creates an ETag from the content, because sessions have no versions. */
function createSessionETag(session: Session): string {
  return hashETag(JSON.stringify(toSession(session)))
}
