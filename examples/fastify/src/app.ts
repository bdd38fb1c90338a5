import type { Gateway } from '@sallyport/webhooks'
import { createNodeListener } from '@sallyport/webhooks/node'
import { fastify, type FastifyInstance } from 'fastify'
import { createServer } from 'node:http'

/** An application that takes webhooks under /webhooks in front of its own routes. */
export function createApp(gateway: Gateway): FastifyInstance {
  const app = fastify({
    // Fastify parses bodies before a handler runs, and the signature is over the bytes: it gets what is no webhook.
    serverFactory: (routes) => createServer(createNodeListener(gateway, { otherwise: routes })),
  })
  app.get('/', () => ({ hello: 'from Fastify' }))
  return app
}
