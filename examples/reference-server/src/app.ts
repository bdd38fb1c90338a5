import type { IncomingMessage, RequestListener } from 'node:http'
import type { Api } from '@sallyport/rest'
import { createNodeListener, type NodeListenerOptions } from '@sallyport/rest/node'
import express from 'express'
import { apiPath, consolePath } from './http/path.ts'

export interface AppOptions {
  /** Answers `/api/v1` and its alias `/v1`. @default the role `api` is off: Express answers 404 */
  readonly api?: Api
  /** The pages and the OpenAPI document under `/api`. @default no documents */
  readonly documents?: Api
  /** Answers `/console`. @default no console */
  readonly console?: Api
  /** Answers every other path: `/`, `/health`, `/ready`, `/.well-known/jwks.json`, and 404 for the rest. */
  readonly service: Api
  readonly clientAddress: (request: IncomingMessage) => string | undefined
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
export function createApp({ api, documents, console, service, clientAddress }: AppOptions): RequestListener {
  const options: NodeListenerOptions = {
    clientAddress,
    requestId: (_, response) => String(response.getHeader('X-Request-Id')),
  }
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  if (documents) {
    // Relative, for a proxy that adds a prefix.
    app.get(['/api/docs/', '/api/redoc/'], ({ path }, response) => {
      response.writeHead(308, { Location: `..${path.slice('/api'.length, -1)}`, 'Content-Length': 0 }).end()
    })
    app.use('/api', createNodeListener(documents, options))
  }
  app.use(createNodeListener(service, options))
  const otherwise = console
    ? createNodeListener(console, { ...options, mount: consolePath, otherwise: app })
    : app
  return api ? createNodeListener(api, { ...options, mount: [apiPath, '/v1'], otherwise }) : otherwise
}
