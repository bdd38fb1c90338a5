import { listen } from '@sallyport/rest/node'
import type { Webhooks } from '@sallyport/webhooks/node'
import express from 'express'

interface Address {
  readonly host: string
  readonly port: number
}

/** Serves the webhooks at /webhooks. Body parsers would consume the signed bytes: they follow with your routes. */
export function startServer({ webhooks }: { readonly webhooks: Webhooks }, address: Address) {
  const app = express()
  app.disable('x-powered-by')
  app.use(webhooks.express)
  return listen(app, address)
}
