import { type RouteBinding } from '@sallyport/rest';
import type { RequestContext } from '../http/context.ts';
import { type Dependency } from './readiness.ts';
/** Creates the routes outside of the API version. */
export declare function serviceRoutes(providers: readonly string[], needed: readonly Dependency[], notices: () => readonly string[], isStopping: () => boolean, hasDocuments?: boolean): readonly RouteBinding<RequestContext>[];
