import type { Api } from '@sallyport/rest'
import { createNodeListener, listen } from '@sallyport/rest/node'

interface Address {
  readonly host: string
  readonly port: number
}

/** Serves the API at /api. */
export const startServer = ({ api }: { readonly api: Api }, address: Address) =>
  listen(createNodeListener(api, { mount: '/api' }), address)
