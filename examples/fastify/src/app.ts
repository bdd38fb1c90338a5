import type { Gateway } from '@sallyport/webhooks'
import { createNodeListener } from '@sallyport/webhooks/node'
import { fastify, type FastifyInstance } from 'fastify'
import { createServer } from 'node:http'

/** Creates an application with the gateway at /webhooks in front of its routes. */
export function createApp(gateway: Gateway): FastifyInstance {
  const app = fastify({
    // Fastify parses a body before a handler runs, but the gateway needs the signed bytes.
    serverFactory: (routes) => createServer(createNodeListener(gateway, { otherwise: routes })),
  })
  app.get('/', () => ({ hello: 'from Fastify' }))
  return app
}
