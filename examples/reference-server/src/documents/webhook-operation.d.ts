import type { AnyProvider } from '@sallyport/webhooks';
import type { OpenApiOperation } from '@sallyport/rest/openapi';
/**
 * Creates the OpenAPI operation of `POST /webhooks/{provider}`. The gateway answers it before the router, so no route
 * declares it.
 */
export declare function webhookOperation(providers: readonly AnyProvider[]): OpenApiOperation;
/** Creates the OpenAPI operation of `POST /webhooks/{provider}/{endpoint}`. */
export declare function endpointOperation(providers: readonly AnyProvider[]): OpenApiOperation;
