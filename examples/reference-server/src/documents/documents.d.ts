import { type RouteBinding } from '@sallyport/rest';
import type { RequestContext } from '../http/context.ts';
import type { ServerDocumentOptions } from './openapi.ts';
/**
 * Creates the routes of the OpenAPI document, `/openapi.json`, of the AsyncAPI document, `/asyncapi.json`, and of the pages
 * `/docs` and `/redoc` with their assets.
 *
 * The files are created with the first request, because their libraries would slow down every start.
 */
export declare function documentRoutes(options: ServerDocumentOptions): readonly RouteBinding<RequestContext>[];
