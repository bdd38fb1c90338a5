import type { Gateway } from '@sallyport/webhooks'
import { createFastifyPlugin } from '@sallyport/webhooks/fastify'
import { fastify, type FastifyInstance } from 'fastify'

/** Creates an application with the gateway at /webhooks. */
export function createApp(gateway: Gateway): FastifyInstance {
  const app = fastify()
  app.register(createFastifyPlugin(gateway), { prefix: '/webhooks' })
  app.get('/', () => ({ hello: 'from Fastify' }))
  return app
}
