import type { CookieSessions } from '@sallyport/auth'
import { SallyportError } from '@sallyport/errors'
import { createRouteGroup, dataEnvelope, type RouteBinding } from '@sallyport/rest'
import type { Caller, RequestContext } from './context.ts'
import type { ReportAccountEvent } from './events.ts'
import type { Logins } from './logins.ts'
import { logInBody, sessionResource, toSession } from './session-schemas.ts'

const route = createRouteGroup<Caller>({ tags: ['sessions'] })

const path = '/sessions/cookie'

/** Creates the routes that log browsers in and out. */
export function cookieSessionRoutes({
  cookies,
  logins,
  onEvent,
  mountPath,
}: {
  readonly cookies: Pick<CookieSessions, 'checkLogin' | 'start' | 'end'>
  readonly logins: Pick<Logins, 'start'>
  readonly onEvent: ReportAccountEvent
  /** The mount path of the API in `Location`. @default that of the request */
  readonly mountPath?: string | undefined
}): readonly RouteBinding<RequestContext>[] {
  return [
    route.post(
      path,
      {
        operationId: 'createCookieSession',
        summary: 'Log in with a cookie',
        description:
          'For pages of this origin. Send `X-CSRF-Protection: 1`. The session is in an `HttpOnly` cookie, so no script can read its token. ' +
          'The server renews the cookie when it is used.',
        access: 'public',
        body: logInBody,
        bodyExample: { email: 'ada@example.com', password: 'an analytical engine' },
        responses: {
          201: {
            description: 'The session, without tokens',
            data: sessionResource,
            headers: { Location: 'The address of the session', 'Set-Cookie': 'The cookie of the session' },
          },
        },
        errors: [
          'INVALID_CREDENTIALS',
          'ACCOUNT_SUSPENDED',
          'CSRF_REJECTED',
          'HTTPS_REQUIRED',
          'OVERLOADED',
          'SERVICE_UNAVAILABLE',
        ],
        rateLimit: 'logins',
      },
      async ({ body }, context) => {
        const { request, response, headers } = openExchange(context)
        // A forged login must not count as a failure of the account.
        cookies.checkLogin(request)
        const grant = await logins.start(body, context.clientNetwork, context.showRateLimit)
        await cookies.start(request, grant, response)
        const session = toSession(grant.session)
        await onEvent('login.succeeded', context, {
          route: path,
          status: 201,
          userId: session.user_id,
          sessionId: session.id,
        })
        return {
          status: 201,
          headers: { ...headers, Location: `${mountPath ?? context.mountPath}/sessions/${session.id}` },
          body: dataEnvelope(session),
        }
      },
    ),
    route.delete(
      path,
      {
        operationId: 'deleteCookieSession',
        summary: 'Log out with a cookie',
        description:
          'Ends the session and deletes the cookie. A request with a bearer token is answered with 404.',
        responses: {
          204: {
            description: 'The session has ended',
            headers: { 'Set-Cookie': 'Deletes the cookie' },
          },
        },
        errors: ['NOT_FOUND'],
      },
      async (_, context) => {
        const { request, response, headers } = openExchange(context)
        const { sid, hasCookie } = context.caller
        if (hasCookie !== true)
          throw new SallyportError('NOT_FOUND', 'The request has no session cookie: delete /sessions/{id}')
        await cookies.end(request, { id: sid }, response)
        await onEvent('logout.succeeded', context, { route: path, status: 204, sessionId: sid })
        return { status: 204, headers }
      },
    ),
  ]
}

/** Converts a context to a request and a response for cookies. */
function openExchange({ conditions: { method }, header }: RequestContext) {
  const headers: Record<string, string> = {}
  const setHeader = (name: string, value: string) => {
    headers[name] = value
  }
  return { request: { method, header }, response: { setHeader }, headers }
}
