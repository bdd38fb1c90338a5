import type { CookieSessions } from '@sallyport/auth'
import { OidcError, type OidcClient } from '@sallyport/auth/oidc'
import { SallyportError } from '@sallyport/errors'
import { createRouteGroup, type RouteBinding } from '@sallyport/rest'
import { z } from 'zod'
import type { Caller, RequestContext } from './context.ts'
import type { ReportAccountEvent } from './events.ts'
import type { IssuerLogins } from './single-sign-on.ts'

const route = createRouteGroup<Caller>({ tags: ['sessions'], access: 'public', rateLimit: 'auth' })

const redirection = {
  303: {
    description: 'Leads the browser on',
    headers: { Location: 'The address to continue at', 'Set-Cookie': 'The cookies of the login' },
  },
} as const

const path = '/sessions/sso'

/** Creates the routes that log browsers in and out at an issuer. They lead to pages, so failures are in the query of a page. */
export function singleSignOnRoutes({
  client,
  cookies,
  logins,
  onEvent,
}: {
  readonly client: OidcClient
  readonly cookies: Pick<CookieSessions, 'startAt'>
  readonly logins: IssuerLogins
  readonly onEvent: ReportAccountEvent
}): readonly RouteBinding<RequestContext>[] {
  const toCallback = ({ header, address }: RequestContext) => ({
    ...{ method: 'GET', header },
    query: new URLSearchParams(address.query).toString(),
  })

  /** Leads to the page that shows the failure. */
  async function fail(error: unknown, context: RequestContext, targetId?: string) {
    const reason = getReason(error)
    const detail = error instanceof OidcError ? error.detail : undefined
    const code = detail === undefined ? reason : `${reason}: ${detail}`
    await onEvent('login.failed', context, { route: path, status: 303, code, targetId })
    const home = new URL(client.home, client.origin)
    home.searchParams.set('login_error', reason)
    return redirect(home.pathname + home.search + home.hash, [await client.forget(toCallback(context))])
  }

  return [
    route.get(
      path,
      {
        operationId: 'startSingleSignOn',
        summary: 'Log in at the issuer',
        description:
          'For browsers. Leads to the issuer, and afterwards to `return_to` with a session in a cookie. A failure leads to the console ' +
          'with `login_error`: `expired`, `denied`, `failed`, `unavailable`, `no_role` or `suspended`.',
        query: z.object({
          return_to: z.string().max(1000).optional().meta({ description: 'A path of this origin.' }),
        }),
        responses: redirection,
      },
      async ({ query }, context) => {
        try {
          const { location, cookies } = await client.begin(toCallback(context), query.return_to)
          return redirect(location, cookies)
        } catch (error) {
          return fail(error, context)
        }
      },
    ),
    route.get(
      `${path}/callback`,
      {
        operationId: 'finishSingleSignOn',
        summary: 'Receive the answer of the issuer',
        description: 'The redirect URI to register at the issuer.',
        responses: redirection,
      },
      async (_, context) => {
        try {
          const answer = await client.finish(toCallback(context))
          const login = await logins.start(answer.identity)
          if (login === undefined) throw new LoginRefusal('no_role')
          const { user, isNew, changed, result } = login
          const common = { route: path, status: 303, userId: user.id } as const
          if (isNew || changed.length > 0)
            await onEvent(isNew ? 'user.created' : 'user.changed', context, {
              ...{ ...common, targetId: user.id, role: user.role },
              ...(changed.length > 0 && { changed }),
            })
          if (typeof result === 'string') return await fail(new LoginRefusal(result), context, user.id)
          const set: string[] = []
          cookies.startAt(client.origin, result, { setHeader: (_name, value) => void set.push(value) })
          await onEvent('login.succeeded', context, { ...common, sessionId: result.session.id })
          return redirect(answer.location, [...answer.cookies, ...set])
        } catch (error) {
          return fail(error, context)
        }
      },
    ),
    route.get(
      `${path}/end`,
      {
        operationId: 'endSingleSignOn',
        summary: 'Log out at the issuer',
        description:
          'For browsers, after `DELETE /sessions/cookie`. Leads to the issuer, and to the console at an issuer that has no logout.',
        responses: redirection,
        errors: ['CSRF_REJECTED'],
      },
      async (_, { header }) => {
        // Another site must not log the user out at the issuer.
        if (!['same-origin', 'none', undefined].includes(header('sec-fetch-site')))
          throw new SallyportError('CSRF_REJECTED', 'Another site sent this request: log out in the console')
        const { location, cookies } = await client.end({ method: 'GET', header })
        return redirect(location, cookies)
      },
    ),
  ]
}

/** A user of the issuer whom the accounts refuse. */
class LoginRefusal extends Error {
  readonly reason: 'no_role' | 'suspended'
  constructor(reason: LoginRefusal['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** @throws the error if it is not about the login, such as one of the database */
function getReason(error: unknown): string {
  if (error instanceof OidcError || error instanceof LoginRefusal) return error.reason
  throw error
}

const redirect = (location: string, cookies: readonly string[]) => ({
  status: 303 as const,
  headers: { Location: location, 'Set-Cookie': cookies },
})
