import type { Session, Sessions } from '@sallyport/auth'
import { SallyportError } from '@sallyport/errors'
import {
  answerList,
  bindRoute,
  checkPreconditions,
  dataEnvelope,
  defineListQuery,
  defineRoute,
  hashETag,
  type RouteBinding,
} from '@sallyport/rest'
import { requireCaller, type RequestContext } from '../http/context.ts'
import { apiPath } from '../http/path.ts'
import type { SecurityLog } from '../logging/security-log.ts'
import { idParams } from '../resources/fields.ts'
import type { Logins } from './logins.ts'
import {
  grantResource,
  logInBody,
  refreshBody,
  sessionResource,
  toSession,
  type SessionResource,
} from './schemas.ts'

const tags = ['sessions']

const createSession = defineRoute({
  method: 'POST',
  path: '/sessions',
  operationId: 'createSession',
  summary: 'Log in',
  description:
    'Send the `access_token` with other requests. It is valid for `expires_in` seconds; the `refresh_token` gets a new one.',
  tags,
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
})

const createToken = defineRoute({
  method: 'POST',
  path: '/sessions/{id}/tokens',
  operationId: 'createToken',
  summary: 'Exchange a refresh token for a new pair of tokens',
  description: 'A refresh token works once. A second use ends the session.',
  tags,
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
})

const listSessions = defineRoute({
  method: 'GET',
  path: '/sessions',
  operationId: 'listSessions',
  summary: 'List your sessions',
  description:
    'The sessions that have neither ended nor expired, the newest first unless `sort` says otherwise.',
  tags,
  access: 'authenticated',
  query: defineListQuery({
    sortable: ['created_at'],
    defaultSort: '-created_at',
    fields: Object.keys(sessionResource.shape) as (keyof SessionResource)[],
  }),
  responses: { 200: { description: 'A page of sessions', list: sessionResource } },
  etag: true,
})

const getSession = defineRoute({
  method: 'GET',
  path: '/sessions/{id}',
  operationId: 'getSession',
  summary: 'Get one of your sessions',
  description: 'A session of another user is answered with 404.',
  tags,
  access: 'authenticated',
  params: idParams,
  responses: { 200: { description: 'The session', data: sessionResource } },
  errors: ['NOT_FOUND'],
  etag: true,
})

const deleteSession = defineRoute({
  method: 'DELETE',
  path: '/sessions/{id}',
  operationId: 'deleteSession',
  summary: 'End one of your sessions and its tokens',
  description: 'Logs out. A session of another user is answered with 404.',
  tags,
  access: 'authenticated',
  params: idParams,
  responses: { 204: { description: 'The session has ended' } },
  errors: ['NOT_FOUND'],
  etag: true,
})

export function sessionRoutes(options: {
  readonly sessions: Sessions
  readonly logins: Logins
  readonly securityLog: Pick<SecurityLog, 'logSuccess'>
}): readonly RouteBinding<RequestContext>[] {
  const { sessions, logins, securityLog } = options

  /** Returns a session of the caller. @throws SallyportError 404 `NOT_FOUND`, also for sessions of other users */
  async function own(id: string, context: RequestContext): Promise<Session> {
    const session = await sessions.get(id)
    if (session?.userId === requireCaller(context).sub) return session
    throw new SallyportError('NOT_FOUND', 'There is no such session')
  }

  return [
    bindRoute(createSession, async ({ body }, context: RequestContext) => {
      const { path, clientNetwork, showRateLimit } = context
      const grant = await logins.logIn(body, clientNetwork, showRateLimit)
      securityLog.logSuccess('login.succeeded', context, {
        route: createSession.path,
        status: 201,
        userId: grant.user_id,
        sessionId: grant.id,
      })
      return {
        status: 201,
        headers: { Location: `${apiPath}${path}/${grant.id}` },
        body: dataEnvelope(grant),
      }
    }),
    bindRoute(createToken, async ({ params, body }, { path, clientNetwork }: RequestContext) => {
      const grant = await logins.refresh(params.id, body.refresh_token, clientNetwork)
      return {
        status: 201,
        headers: { Location: apiPath + path.replace(/(?<=\/)[^/]+\/tokens$/, grant.id) },
        body: dataEnvelope(grant),
      }
    }),
    bindRoute(listSessions, async ({ query }, context: RequestContext) => {
      const all = await sessions.list(requireCaller(context).sub)
      return await answerList(query, context, all.map(toSession))
    }),
    bindRoute(getSession, async ({ params }, context: RequestContext) => {
      const session = await own(params.id, context)
      return {
        status: 200,
        headers: { ETag: createSessionETag(session) },
        body: dataEnvelope(toSession(session)),
      }
    }),
    bindRoute(deleteSession, async ({ params }, context: RequestContext) => {
      const session = await own(params.id, context)
      checkPreconditions({ ...context.conditions, etag: createSessionETag(session) })
      await sessions.revoke(session.id)
      securityLog.logSuccess('logout.succeeded', context, {
        route: deleteSession.path,
        status: 204,
        sessionId: session.id,
      })
      return { status: 204 }
    }),
  ]
}

/** Creates an ETag from the content, because sessions have no versions. */
function createSessionETag(session: Session): string {
  return hashETag(JSON.stringify(toSession(session)))
}
