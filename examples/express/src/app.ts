import type { Gateway } from '@sallyport/webhooks'
import { createNodeListener } from '@sallyport/webhooks/node'
import express, { type Express } from 'express'

/** Creates an application with the gateway at /webhooks. */
export function createApp(gateway: Gateway): Express {
  const app = express()
  // Before express.json(), which would consume the signed bytes.
  app.use(createNodeListener(gateway))
  app.use(express.json())
  app.get('/', (_request, response) => {
    response.json({ hello: 'from Express' })
  })
  return app
}
