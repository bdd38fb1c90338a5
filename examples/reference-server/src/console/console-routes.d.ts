import type { RouteBinding } from '@sallyport/rest';
import type { RequestContext } from '../http/context.ts';
import type { Logger } from '../logging/log.ts';
/**
 * Creates the routes of the operators' console; undefined if the console is not built, as with `npm run dev` before the first
 * build.
 */
export declare function consoleRoutes(log: Pick<Logger, 'debug'>): readonly RouteBinding<RequestContext>[] | undefined;
