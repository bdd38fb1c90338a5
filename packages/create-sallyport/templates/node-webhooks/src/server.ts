import { listen } from '@sallyport/rest/node'
import type { Webhooks } from '@sallyport/webhooks/node'

interface Address {
  readonly host: string
  readonly port: number
}

/** Serves the webhooks at /webhooks. */
export const startServer = ({ webhooks }: { readonly webhooks: Webhooks }, address: Address) =>
  listen(webhooks.node, address)
