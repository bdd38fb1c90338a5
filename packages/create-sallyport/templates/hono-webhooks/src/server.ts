import { getRequestListener } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { listen } from '@sallyport/rest/node'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import type { Webhooks } from '@sallyport/webhooks/node'
import { Hono, type Context } from 'hono'

interface Address {
  readonly host: string
  readonly port: number
}

/** Serves the webhooks at /webhooks. */
export function startServer({ webhooks }: { readonly webhooks: Webhooks }, address: Address) {
  const receive = createFetchHandler(webhooks.gateway, {
    clientAddress: (_, context: Context) => getConnInfo(context).remote.address,
  })
  const app = new Hono().all('/webhooks/*', (context) => receive(context.req.raw, context))
  return listen(getRequestListener(app.fetch), address)
}
