import { getRequestListener } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Api } from '@sallyport/rest'
import { createHonoHandler } from '@sallyport/rest/hono'
import { listen } from '@sallyport/rest/node'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import type { Webhooks } from '@sallyport/webhooks/node'
import { Hono, type Context } from 'hono'

interface Address {
  readonly host: string
  readonly port: number
}

interface Parts {
  readonly api: Api
  readonly webhooks: Webhooks
}

/** Serves the webhooks at /webhooks and the API at /api. */
export function startServer({ api, webhooks }: Parts, address: Address) {
  const receive = createFetchHandler(webhooks.gateway, {
    clientAddress: (_, context: Context) => getConnInfo(context).remote.address,
  })
  const app = new Hono()
    .all('/webhooks/*', (context) => receive(context.req.raw, context))
    .all('/api/*', createHonoHandler(api))
  return listen(getRequestListener(app.fetch), address)
}
