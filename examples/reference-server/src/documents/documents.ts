import type { RouteBinding } from '@sallyport/rest'
import { createDocumentPages } from '@sallyport/rest/openapi-pages'
import type { ServerDocumentOptions } from './openapi.ts'

/** Creates the routes of the OpenAPI and the AsyncAPI document, and of the pages `/docs` and `/redoc`. */
export function documentRoutes(options: ServerDocumentOptions): readonly RouteBinding[] {
  // Loaded with the first request, because the builders would slow down every start.
  const load = () => import('./openapi.ts')
  return createDocumentPages({
    title: 'Sallyport API',
    documents: {
      '/openapi.json': async () => (await load()).serverDocument(options),
      '/openapi-3.1.json': async () => (await load()).serverDocument(options, '3.1'),
      '/asyncapi.json': async () => (await load()).eventsDocument(options),
    },
    pages: ['swagger-ui', 'redoc'],
  })
}
