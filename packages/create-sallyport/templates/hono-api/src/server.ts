import { getRequestListener } from '@hono/node-server'
import type { Api } from '@sallyport/rest'
import { createHonoHandler } from '@sallyport/rest/hono'
import { listen } from '@sallyport/rest/node'
import { Hono } from 'hono'

interface Address {
  readonly host: string
  readonly port: number
}

/** Serves the API at /api. */
export function startServer({ api }: { readonly api: Api }, address: Address) {
  const app = new Hono().all('/api/*', createHonoHandler(api))
  return listen(getRequestListener(app.fetch), address)
}
