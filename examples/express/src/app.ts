import type { Gateway } from '@sallyport/webhooks'
import { createNodeListener } from '@sallyport/webhooks/node'
import express from 'express'
import { createServer, type Server } from 'node:http'

/** Creates a server that passes /webhooks to the gateway and all other paths to Express. */
export function createApp(gateway: Gateway): Server {
  const app = express()
  app.use(express.json())
  app.get('/', (_request, response) => {
    response.json({ hello: 'from Express' })
  })

  // The gateway is in front of Express, because express.json() would consume the signed bytes and the router would double
  // the cost of a delivery.
  return createServer(createNodeListener(gateway, { otherwise: app }))
}
