import express, { type Express, type RequestHandler } from 'express'

/**
 * The Express application behind the webhook listener: `api` is mounted under the version, `documents` above it, and
 * `service` outside both. What is left out is not there.
 */
export function createApp({
  api,
  documents,
  service,
}: {
  api?: RequestHandler
  documents?: RequestHandler
  service: RequestHandler
}): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  // Entity tags are made from versions, and queries are parsed strictly, by the API itself.
  app.set('etag', false)
  app.set('query parser', false)
  app.use((_, response, next) => {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Referrer-Policy', 'no-referrer')
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
    next()
  })
  if (api) app.use(['/api/v1', '/v1'], api)
  if (documents) app.use('/api', documents)
  app.use(service)
  return app
}
