import { getConnInfo } from '@hono/node-server/conninfo'
import type { Gateway } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import { Hono, type Context } from 'hono'

/** Creates an application with the gateway at /webhooks. */
export function createApp(gateway: Gateway): Hono {
  const webhooks = createFetchHandler(gateway, {
    // The gateway blocks addresses that send invalid signatures. With a proxy, read the address from its header.
    clientAddress: (_request, context: Context) => getConnInfo(context).remote.address,
  })

  const app = new Hono()
  app.get('/', (context) => context.text('Hello from Hono'))
  // The raw request has an unread body, whose bytes are signed.
  app.all('/webhooks/*', (context) => webhooks(context.req.raw, context))
  return app
}
