import type { Api } from '@sallyport/rest'
import { createExpressHandler } from '@sallyport/rest/express'
import { listen } from '@sallyport/rest/node'
import express from 'express'

interface Address {
  readonly host: string
  readonly port: number
}

/** Serves the API at /api. Body parsers and routes of yours follow it. */
export function startServer({ api }: { readonly api: Api }, address: Address) {
  const app = express()
  app.disable('x-powered-by')
  app.use('/api', createExpressHandler(api))
  return listen(app, address)
}
