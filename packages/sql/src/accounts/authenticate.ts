import { createTokenMissingError, parseBearer, type ApiKeys, type CookieSessions } from '@sallyport/auth'
import type { Authenticate } from '@sallyport/rest'
import type { UserRow } from './tables.ts'
import type { Caller } from './context.ts'
import { createEndedError } from './ended-error.ts'
import { requireScoped } from './has-access.ts'
import type { Users } from './users.ts'
import type { Access } from './access.ts'

/**
 * Authenticates requests by a bearer token, which is an access token or an API key, or by the cookie of a browser. A bearer
 * token takes precedence.
 */
export function createAuthenticate({
  verifier,
  cookies,
  users,
  apiKeys,
}: {
  readonly verifier: Access['verifier']
  readonly cookies: Pick<CookieSessions, 'authenticate'>
  readonly users: Pick<Users, 'find'>
  readonly apiKeys: Pick<ApiKeys<UserRow>, 'isApiKey' | 'verify'>
}): Authenticate<Caller> {
  const authenticateKey = async (token: string, { route }: Parameters<Authenticate<Caller>>[1]) => {
    const { key, owner } = await apiKeys.verify(token)
    const { id, scopes, endpoints, expiresAt } = key
    const caller = { sub: owner.id, key: { id, scopes, endpoints, expiresAt } }
    requireScoped(route.access, caller)
    return caller
  }

  const authenticateCookie: Authenticate<Caller> = async (request, response) => {
    const session = await cookies.authenticate(request, response)
    if (session === undefined) throw createTokenMissingError()
    const user = await users.find({ id: session.userId })
    // A suspension ends the sessions of its user, but this session may have been read before.
    if (user?.status !== 'active') throw createEndedError()
    return { sub: user.id, role: user.role, sid: session.id, hasCookie: true }
  }

  return (request, response) => {
    const authorization = request.header('authorization')
    // A proxy in front of the server may use another scheme.
    if (authorization !== undefined && /^bearer /i.test(authorization)) {
      const token = parseBearer(authorization)
      return apiKeys.isApiKey(token) ? authenticateKey(token, response) : verifier.verify(token)
    }
    if (request.header('cookie') === undefined) throw createTokenMissingError()
    return authenticateCookie(request, response)
  }
}
