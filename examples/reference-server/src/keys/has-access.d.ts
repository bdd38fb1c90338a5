import type { RouteAccess } from '@sallyport/rest';
import type { Caller } from '../http/context.ts';
/** Returns the scopes of API keys among the roles of a route. */
export declare const listScopes: (roles: readonly string[]) => readonly string[];
/**
 * Reports whether a caller may use a route: a user by the role, an API key by one of its scopes.
 *
 * @throws SallyportError 403 `FORBIDDEN` otherwise
 */
export declare function hasAccess({ role, key }: Caller, roles: readonly string[]): boolean;
/**
 * Requires a route that names scopes for a request with an API key.
 *
 * @throws SallyportError 403 `FORBIDDEN`
 */
export declare function requireScoped(access: RouteAccess, { sub, key }: Pick<Caller, 'sub' | 'key'>): void;
