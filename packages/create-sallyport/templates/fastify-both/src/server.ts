import type { Api } from '@sallyport/rest'
import { createFastifyPlugin } from '@sallyport/rest/fastify'
import { listen } from '@sallyport/rest/node'
import { createFastifyPlugin as createWebhookPlugin } from '@sallyport/webhooks/fastify'
import type { Webhooks } from '@sallyport/webhooks/node'
import { fastify } from 'fastify'

interface Address {
  readonly host: string
  readonly port: number
}

interface Parts {
  readonly api: Api
  readonly webhooks: Webhooks
}

/** Serves the webhooks at /webhooks and the API at /api. */
export async function startServer({ api, webhooks }: Parts, address: Address) {
  const app = fastify()
  app.register(createWebhookPlugin(webhooks.gateway), { prefix: '/webhooks' })
  app.register(createFastifyPlugin(api), { prefix: '/api' })
  await app.ready()
  return await listen(app.routing, address)
}
