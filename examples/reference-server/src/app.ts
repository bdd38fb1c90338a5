import type { IncomingMessage, RequestListener } from 'node:http'
import express, { type RequestHandler } from 'express'
import type { ApiHandler, MountedRequest } from './http/api.ts'
import { apiPath } from './http/path.ts'

export interface AppOptions {
  /** Answers `/api/v1` and its alias `/v1`. @default the role `api` is off: Express answers 404 */
  readonly api?: ApiHandler
  /** The pages and the OpenAPI document under `/api`. @default no documents */
  readonly documents?: RequestHandler
  /** Answers every other path: `/`, `/health`, `/ready`, `/.well-known/jwks.json`, and 404 for the rest. */
  readonly service: ApiHandler
}

/**
 * Creates the listener for all requests but webhooks:
 *
 *     node:http listener (http/http-server.ts)
 *     ├── /webhooks/:provider   webhook listener (server.ts)
 *     └── this listener
 *         ├── /api/v1, /v1      api, with its own router, before Express
 *         └── Express
 *             ├── /api          documents
 *             └── /             service
 *
 * The API runs before Express because the router of Express takes longer than the query of a row. `api` is written like
 * Express middleware (`baseUrl`, `url`), so `app.use(['/api/v1', '/v1'], api)` gives the same responses;
 * `app.test.ts` compares both.
 */
export function createApp({ api, documents, service }: AppOptions): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  // The API creates ETags from versions and parses queries strictly.
  app.set('etag', false)
  app.set('query parser', false)
  if (documents) app.use('/api', documents)
  app.use(service)

  return (request, response) => {
    for (const [name, value] of securityHeaders) response.setHeader(name, value)
    const mounted = api && mountApi(request)
    if (mounted) api(mounted, response)
    else app(request, response)
  }
}

const apiMounts = [apiPath, '/v1']

const securityHeaders = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const

/** Sets `baseUrl` and `url` of a request to the API, as Express does for mounted middleware; undefined for others. */
function mountApi(request: IncomingMessage): MountedRequest | undefined {
  const { method = 'GET', url = '/' } = request
  const baseUrl = apiMounts.find((mount) => url.startsWith(mount) && isSegmentEnd(url[mount.length]))
  if (baseUrl === undefined) return undefined
  const rest = url.slice(baseUrl.length)
  return Object.assign(request, { method, baseUrl, url: rest.startsWith('/') ? rest : `/${rest}` })
}

/** Reports whether a path segment ends before a character. */
function isSegmentEnd(character: string | undefined): boolean {
  return character === undefined || character === '/' || character === '?'
}
