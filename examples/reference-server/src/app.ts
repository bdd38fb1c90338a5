import type { IncomingMessage, RequestListener } from 'node:http'
import express, { type RequestHandler } from 'express'
import type { ApiHandler, MountedRequest } from './http/api.ts'
import { apiPath } from './http/path.ts'

/**
 * The application behind the webhook listener: `api` is mounted under the version, `documents` above it, and `service`
 * outside both. What is left out is not there.
 *
 * The API has a router of its own, and is answered ahead of Express', which would take longer than the query of a row.
 */
export function createApp({
  api,
  documents,
  service,
}: {
  api?: ApiHandler
  documents?: RequestHandler
  service: ApiHandler
}): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  // Entity tags are made from versions, and queries are parsed strictly, by the API itself.
  app.set('etag', false)
  app.set('query parser', false)
  if (documents) app.use('/api', documents)
  app.use(service)
  return (request, response) => {
    for (const [name, value] of securityHeaders) response.setHeader(name, value)
    const mounted = api && mount(request)
    if (mounted) api(mounted, response)
    else app(request, response)
  }
}

const versions = [apiPath, '/v1']

const securityHeaders = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const

/** A request under one of the versions, as Express would mount it; undefined for others. */
function mount(request: IncomingMessage): MountedRequest | undefined {
  const { method = 'GET', url = '/' } = request
  const baseUrl = versions.find((version) => url.startsWith(version) && isEnd(url[version.length]))
  if (baseUrl === undefined) return undefined
  const rest = url.slice(baseUrl.length)
  return Object.assign(request, { method, baseUrl, url: rest.startsWith('/') ? rest : `/${rest}` })
}

/** Whether a segment of a path ends before a character. */
function isEnd(character: string | undefined): boolean {
  return character === undefined || character === '/' || character === '?'
}
