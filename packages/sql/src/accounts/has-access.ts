import { requireScopes } from '@sallyport/auth'
import { SallyportError } from '@sallyport/errors'
import type { RouteAccess } from '@sallyport/rest'
import type { Caller } from './context.ts'
import { RefusalCause } from './events.ts'

const userRoles = ['admin', 'user']

/** Returns the scopes of API keys among the roles of a route. */
export const listScopes = (roles: readonly string[]): readonly string[] =>
  roles.filter((role) => !userRoles.includes(role))

/**
 * Reports whether a caller may use a route: a user by the role, an API key by one of its scopes.
 *
 * @throws SallyportError 403 `FORBIDDEN` otherwise
 */
export function hasAccess({ role, key }: Caller, roles: readonly string[]): boolean {
  const scopes = listScopes(roles)
  if (key !== undefined) {
    if (scopes.length === 0) throw createNoScopeError()
    if (!scopes.some((scope) => key.scopes.includes(scope)))
      requireScopes({ scope: key.scopes.join(' ') }, scopes)
    return true
  }
  if (roles.includes(role)) return true
  const needed = roles.filter((each) => userRoles.includes(each))
  throw new SallyportError('FORBIDDEN', `This needs the role ${needed.join(' or ')}`)
}

/**
 * Requires a route that names scopes for a request with an API key.
 *
 * @throws SallyportError 403 `FORBIDDEN`
 */
export function requireScoped(access: RouteAccess, { sub, key }: Pick<Caller, 'sub' | 'key'>): void {
  if (access === 'authenticated') throw createNoScopeError(new RefusalCause({ userId: sub, keyId: key?.id }))
}

function createNoScopeError(cause?: RefusalCause): SallyportError {
  return new SallyportError('FORBIDDEN', 'API keys cannot do this: log in as a user', { cause })
}
