import type { Gateway } from '@sallyport/webhooks'
import { createNodeListener } from '@sallyport/webhooks/node'
import express from 'express'
import { createServer, type Server } from 'node:http'

/** A server that takes webhooks under /webhooks, and leaves the rest to Express. */
export function createApp(gateway: Gateway): Server {
  const app = express()
  app.use(express.json())
  app.get('/', (_request, response) => {
    response.json({ hello: 'from Express' })
  })

  // In front of the application, not in it: express.json() would have eaten the bytes that are signed, and behind the
  // router a delivery costs more than twice as much.
  return createServer(createNodeListener(gateway, { otherwise: app }))
}
