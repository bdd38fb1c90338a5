import type { KeyRing } from '@sallyport/auth';
import { type RouteBinding } from '@sallyport/rest';
import type { RequestContext } from '../http/context.ts';
/** Creates the route of the public keys, with which other services verify access tokens. */
export declare function keySetRoutes(keys: Pick<KeyRing, 'jwks'>): readonly RouteBinding<RequestContext>[];
