import { requireScopes } from '@sallyport/auth'
import { SallyportError } from '@sallyport/errors'
import type { RouteAccess } from '@sallyport/rest'
import type { Caller } from './context.ts'
import { RefusalCause } from './events.ts'
import { getPermissions, readAccess } from './roles.ts'

/**
 * Reports whether a caller may use a route: a user by the role or a permission, an API key by one of its scopes.
 *
 * @param names the roles, permissions and scopes that the route names
 * @throws SallyportError 403 `FORBIDDEN` otherwise
 */
export function hasAccess(caller: Caller, names: readonly string[]): boolean {
  const { role, key } = caller
  if (key !== undefined) {
    const { scopes } = readAccess(names)
    if (scopes.length === 0) throw createNoScopeError()
    if (!scopes.some((scope) => key.scopes.includes(scope)))
      requireScopes({ scope: key.scopes.join(' ') }, scopes)
    return true
  }
  if (names.includes(role) || getPermissions(caller).some((permission) => names.includes(permission)))
    return true
  throw new SallyportError('FORBIDDEN', `This needs the role ${readAccess(names).roles.join(' or ')}`)
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
