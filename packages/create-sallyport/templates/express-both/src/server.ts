import type { Api } from '@sallyport/rest'
import { createExpressHandler } from '@sallyport/rest/express'
import { listen } from '@sallyport/rest/node'
import type { Webhooks } from '@sallyport/webhooks/node'
import express from 'express'

interface Address {
  readonly host: string
  readonly port: number
}

interface Parts {
  readonly api: Api
  readonly webhooks: Webhooks
}

/** Serves the webhooks at /webhooks and the API at /api. Body parsers and routes of yours follow them. */
export function startServer({ api, webhooks }: Parts, address: Address) {
  const app = express()
  app.disable('x-powered-by')
  app.use(webhooks.express)
  app.use('/api', createExpressHandler(api))
  return listen(app, address)
}
