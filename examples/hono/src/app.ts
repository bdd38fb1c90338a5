import { getConnInfo } from '@hono/node-server/conninfo'
import type { Gateway } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import { Hono, type Context } from 'hono'

/** An application that takes webhooks under /webhooks. */
export function createApp(gateway: Gateway): Hono {
  const webhooks = createFetchHandler(gateway, {
    // Addresses that send bad signatures are blocked. Behind a proxy, tell them from a header that it sets.
    clientAddress: (_request, context: Context) => getConnInfo(context).remote.address,
  })

  const app = new Hono()
  app.get('/', (context) => context.text('Hello from Hono'))
  // The raw request, whose body nobody has read: the signature is over its bytes.
  app.all('/webhooks/*', (context) => webhooks(context.req.raw, context))
  return app
}
