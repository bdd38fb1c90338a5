import type { Gateway } from '@sallyport/webhooks'
import { createNodeListener } from '@sallyport/webhooks/node'
import { createServer, type Server } from 'node:http'

/** A server that takes webhooks under /webhooks, and says hello elsewhere. */
export function createApp(gateway: Gateway): Server {
  return createServer(
    createNodeListener(gateway, {
      // Without it, every other path is answered 404.
      otherwise(request, response) {
        response.writeHead(request.url === '/' ? 200 : 404).end('Hello from node:http\n')
      },
    }),
  )
}
