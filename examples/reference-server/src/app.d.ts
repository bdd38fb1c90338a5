import type { IncomingMessage, RequestListener } from 'node:http';
import type { Api } from '@sallyport/rest';
export interface AppOptions {
    /** Answers `/api/v1` and its alias `/v1`. @default the role `api` is off: Express answers 404 */
    readonly api?: Api;
    /** The pages and the OpenAPI document under `/api`. @default no documents */
    readonly documents?: Api;
    /** Answers `/console`. @default no console */
    readonly console?: Api;
    /** Answers every other path: `/`, `/health`, `/ready`, `/.well-known/jwks.json`, and 404 for the rest. */
    readonly service: Api;
    readonly clientAddress: (request: IncomingMessage) => string | undefined;
}
/**
 * Creates the listener for all requests but webhooks:
 *
 *     node:http listener (`listen` of @sallyport/rest/node)
 *     ├── /webhooks/:provider   webhook listener (server.ts)
 *     └── this listener
 *         ├── /api/v1, /v1      api
 *         ├── /console          console
 *         └── Express
 *             ├── /api          documents, with redirects from /api/docs/ and /api/redoc/
 *             └── /             service
 *
 * The API runs before Express because the router of Express takes longer than the query of a row. `createNodeListener`
 * returns middleware, so `app.use(['/api/v1', '/v1'], createNodeListener(api))` gives the same responses;
 * `app.test.ts` compares both.
 */
export declare function createApp({ api, documents, console, service, clientAddress }: AppOptions): RequestListener;
