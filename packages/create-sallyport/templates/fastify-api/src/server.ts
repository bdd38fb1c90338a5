import type { Api } from '@sallyport/rest'
import { createFastifyPlugin } from '@sallyport/rest/fastify'
import { listen } from '@sallyport/rest/node'
import { fastify } from 'fastify'

interface Address {
  readonly host: string
  readonly port: number
}

/** Serves the API at /api. */
export async function startServer({ api }: { readonly api: Api }, address: Address) {
  const app = fastify()
  app.register(createFastifyPlugin(api), { prefix: '/api' })
  await app.ready()
  return await listen(app.routing, address)
}
