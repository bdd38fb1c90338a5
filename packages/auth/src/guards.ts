import { SallyportError } from '@sallyport/errors'
import { bearerChallenge } from './bearer/challenge.ts'
import { textsOption } from './options.ts'

/** The claims that guards look at: those of a verified token. */
export interface Principal {
  readonly sub: string
  /** The one role of the principal. */
  readonly role?: unknown
  /** Scopes, separated by spaces (RFC 8693, section 4.2). */
  readonly scope?: unknown
}

/**
 * The claims of a verifier that reads no role have `sub` alone in common with a principal. Those with `roles` and no
 * `role` do not compile, as nobody would ever pass: of a type whose fields are all optional, they have none.
 */
type RoleClaims =
  (Partial<Pick<Principal, 'sub' | 'role'>> & { readonly roles?: undefined }) | Pick<Principal, 'role'>

/**
 * Lets a principal with one of the roles pass. It is the claim `role` that is looked at, of which there is one.
 *
 * @throws SallyportError 403 `FORBIDDEN` for any other; TypeError when no role is named, or not in an array
 * @example
 * ```ts
 * import { requireRole } from '@sallyport/auth'
 *
 * requireRole({ role: 'admin' }, ['admin'])
 * ```
 */
export function requireRole(principal: RoleClaims, roles: readonly string[]): void {
  if (textsOption('roles', roles).length === 0) throw new TypeError('requireRole needs at least one role')
  if (!hasRole(principal, roles))
    throw new SallyportError('FORBIDDEN', `This needs the role ${roles.join(' or ')}`)
}

export interface RequireScopesOptions {
  /** The realm of the `WWW-Authenticate` header. @default 'api' */
  readonly realm?: string
}

/**
 * Lets a principal with all of the scopes pass.
 *
 * @throws SallyportError 403 `FORBIDDEN` for any other, with `insufficient_scope` and the scopes in
 *   `WWW-Authenticate` (RFC 6750, section 3.1); TypeError when no scope is named, or not in an array
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
  if (textsOption('scopes', scopes).length === 0)
    throw new TypeError('requireScopes needs at least one scope')
  const granted =
    typeof principal.scope === 'string' ? principal.scope.split(' ').filter((scope) => scope !== '') : []
  if (scopes.every((scope) => granted.includes(scope))) return
  throw new SallyportError('FORBIDDEN', `This needs the scope ${scopes.join(' ')}`, {
    headers: { 'WWW-Authenticate': bearerChallenge({ ...options, error: 'insufficient_scope', scopes }) },
  })
}

export interface RequireOwnerOptions {
  /** Roles that may pass without owning the resource. @default none */
  readonly orRoles?: readonly string[]
}

/**
 * Lets the owner of a resource pass, and who has one of `orRoles`. A resource without an owner belongs to nobody.
 *
 * @throws SallyportError 403 `FORBIDDEN` for anybody else; TypeError when `orRoles` is no array of texts
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
