import { SallyportError } from '@sallyport/errors'
import { formatBearerChallenge } from './bearer/errors.ts'
import { textsOption } from './options.ts'

/** The claims that guards check, as in a verified token. */
export interface Principal {
  readonly sub: string
  /** The one role of the principal. */
  readonly role?: unknown
  /** Scopes, separated by spaces (RFC 8693, section 4.2). */
  readonly scope?: unknown
}

/**
 * The claims of a principal or of a verified token without `role`. Claims with `roles` instead of `role` do not compile
 * because no principal could pass.
 */
type RoleClaims =
  (Partial<Pick<Principal, 'sub' | 'role'>> & { readonly roles?: undefined }) | Pick<Principal, 'role'>

/**
 * Requires one of the roles, by the claim `role`.
 *
 * @throws SallyportError 403 `FORBIDDEN` without such a role; TypeError when `roles` is empty or not an array
 * @example
 * ```ts
 * import { requireRole } from '@sallyport/auth'
 *
 * requireRole({ role: 'admin' }, ['admin'])
 * ```
 */
export function requireRole(principal: RoleClaims, roles: readonly string[]): void {
  if (textsOption('roles', roles).length === 0) throw new TypeError('roles must name at least one role')
  if (!hasRole(principal, roles))
    throw new SallyportError('FORBIDDEN', `This needs the role ${roles.join(' or ')}`)
}

export interface RequireScopesOptions {
  /** The realm of the `WWW-Authenticate` header. @default 'api' */
  readonly realm?: string
}

/**
 * Requires all of the scopes.
 *
 * @throws SallyportError 403 `FORBIDDEN` with `insufficient_scope` and the scopes in `WWW-Authenticate` (RFC 6750, section
 *   3.1); TypeError when `scopes` is empty or not an array
 * @example
 * ```ts
 * import { requireScopes } from '@sallyport/auth'
 *
 * requireScopes({ scope: 'posts:read posts:write' }, ['posts:write'])
 * ```
 */
export function requireScopes(
  principal: Pick<Principal, 'scope'>,
  scopes: readonly string[],
  options: RequireScopesOptions = {},
): void {
  if (textsOption('scopes', scopes).length === 0) throw new TypeError('scopes must name at least one scope')
  const granted =
    typeof principal.scope === 'string' ? principal.scope.split(' ').filter((scope) => scope !== '') : []
  if (scopes.every((scope) => granted.includes(scope))) return
  throw new SallyportError('FORBIDDEN', `This needs the scope ${scopes.join(' ')}`, {
    headers: {
      'WWW-Authenticate': formatBearerChallenge({ ...options, error: 'insufficient_scope', scopes }),
    },
  })
}

export interface RequireOwnerOptions {
  /** Roles that do not need to own the resource. @default none */
  readonly orRoles?: readonly string[]
}

/**
 * Requires the owner of a resource, or one of `orRoles`. A resource without an owner requires one of `orRoles`.
 *
 * @throws SallyportError 403 `FORBIDDEN` for others; TypeError when `orRoles` is not an array of strings
 * @example
 * ```ts
 * import { requireOwner } from '@sallyport/auth'
 *
 * const post = { author_id: 'u1' }
 * requireOwner({ sub: 'u1', role: 'user' }, post.author_id, { orRoles: ['admin'] })
 * ```
 */
export function requireOwner(
  principal: Pick<Principal, 'sub' | 'role'>,
  ownerId: string | null | undefined,
  { orRoles = [] }: RequireOwnerOptions = {},
): void {
  textsOption('orRoles', orRoles)
  if (typeof ownerId === 'string' && ownerId !== '' && principal.sub === ownerId) return
  if (hasRole(principal, orRoles)) return
  throw new SallyportError('FORBIDDEN', 'Only its owner may do this')
}

function hasRole({ role }: Pick<Principal, 'role'>, roles: readonly string[]): boolean {
  return typeof role === 'string' && roles.includes(role)
}
