import { listen } from '@sallyport/rest/node'
import { createFastifyPlugin } from '@sallyport/webhooks/fastify'
import type { Webhooks } from '@sallyport/webhooks/node'
import { fastify } from 'fastify'

interface Address {
  readonly host: string
  readonly port: number
}

/** Serves the webhooks at /webhooks. */
export async function startServer({ webhooks }: { readonly webhooks: Webhooks }, address: Address) {
  const app = fastify()
  app.register(createFastifyPlugin(webhooks.gateway), { prefix: '/webhooks' })
  await app.ready()
  return await listen(app.routing, address)
}
