import type { Gateway } from '@sallyport/webhooks'
import { createNodeListener } from '@sallyport/webhooks/node'
import { createServer, type Server } from 'node:http'

/** Creates a server with the gateway at /webhooks and a greeting at /. */
export function createApp(gateway: Gateway): Server {
  return createServer(
    createNodeListener(gateway, {
      // Without this function, every other path answers 404.
      otherwise(request, response) {
        response.writeHead(request.url === '/' ? 200 : 404).end('Hello from node:http\n')
      },
    }),
  )
}
