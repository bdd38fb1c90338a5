import type { AnyRoute } from '@sallyport/rest';
import { type OpenApiDocument } from '@sallyport/rest/openapi';
import type { AnyProvider } from '@sallyport/webhooks';
/** A mounted route. */
interface MountedRoute {
    readonly route: AnyRoute;
}
export interface ServerDocumentOptions {
    /** The routes under `/api/v1`. */
    readonly api: readonly MountedRoute[];
    /** The routes at the root. */
    readonly service: readonly MountedRoute[];
    /** The registered providers. */
    readonly providers: readonly AnyProvider[];
    /** The public origin. @default the origin of the document */
    readonly publicUrl?: string | undefined;
    /** The largest body in bytes. */
    readonly bodyLimit: number;
}
/**
 * Creates the OpenAPI document of the server from its mounted routes.
 * @throws TypeError for a route with a tag that `tags` does not describe
 */
export declare function serverDocument({ api, service, providers, publicUrl, bodyLimit, }: ServerDocumentOptions): OpenApiDocument;
export {};
