import type { IncomingMessage, RequestListener } from 'node:http'
import type { Api } from '@sallyport/rest'
import { createNodeListener, type NodeListenerOptions } from '@sallyport/rest/node'
import type { Gateway } from '@sallyport/webhooks'
import { createNodeListener as createWebhookListener } from '@sallyport/webhooks/node'
import express, { type Express } from 'express'
import { apiPath, consolePath } from './http/path.ts'

export interface AppOptions {
  /** Answers `/webhooks/:provider`. @default the role `gateway` is off: 404 */
  readonly gateway?: Gateway
  /** Answers `/api/v1` and its alias `/v1`. @default the role `api` is off: 404 */
  readonly api?: Api
  /** The pages and the OpenAPI document under `/api`. @default no documents */
  readonly documents?: Api
  /** Answers `/console`. @default no console */
  readonly console?: Api
  /** Answers every other path: `/`, `/health`, `/ready`, `/.well-known/jwks.json`, and 404 for the rest. */
  readonly service: Api
  readonly clientAddress: (request: IncomingMessage) => string | undefined
  /** The public origin, for schemes that sign the URL. */
  readonly publicUrl?: string | undefined
}

const apiPaths = [apiPath, '/v1']

/** Creates the Express application with all parts of the server. */
export function createApp(options: AppOptions): Express {
  const { gateway, api, documents, console, service } = options
  const common = createCommonOptions(options)
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  if (gateway) app.use(createWebhookListener(gateway, createWebhookOptions(options)))
  if (api) app.use(apiPaths, createNodeListener(api, common))
  if (documents) {
    // Relative, for a proxy that adds a prefix.
    app.get(['/api/docs/', '/api/redoc/'], ({ path }, response) => {
      response.writeHead(308, { Location: `..${path.slice('/api'.length, -1)}`, 'Content-Length': 0 }).end()
    })
    app.use('/api', createNodeListener(documents, common))
  }
  if (console) app.use(consolePath, createNodeListener(console, common))
  app.use(createNodeListener(service, common))
  return app
}

/**
 * Creates the listener of the server: the Express application, with webhooks and the API in front of it.
 *
 * In front of the router they are faster: it halves the throughput of webhooks, and takes longer than the query of a row. The
 * application alone gives the same responses; `app.test.ts` compares both.
 */
export function createListener(options: AppOptions): RequestListener {
  const { gateway, api } = options
  const app = createApp(options)
  const listener = api
    ? createNodeListener(api, { ...createCommonOptions(options), mount: apiPaths, otherwise: app })
    : app
  return gateway
    ? createWebhookListener(gateway, { ...createWebhookOptions(options), otherwise: listener })
    : listener
}

const createCommonOptions = ({ clientAddress }: AppOptions): NodeListenerOptions => ({
  clientAddress,
  requestId: (_, response) => String(response.getHeader('X-Request-Id')),
})

const createWebhookOptions = (options: AppOptions) => ({
  ...createCommonOptions(options),
  ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
})
