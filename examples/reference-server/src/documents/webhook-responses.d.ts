import type { OpenApiOperation } from '@sallyport/rest/openapi';
import type { AnyProvider } from '@sallyport/webhooks';
type Responses = OpenApiOperation['responses'];
/** Creates the OpenAPI responses to a delivery. Only a delivery to an endpoint can be answered with 410. */
export declare function webhookResponses(providers: readonly AnyProvider[], hasEndpoint?: boolean): Responses;
export {};
