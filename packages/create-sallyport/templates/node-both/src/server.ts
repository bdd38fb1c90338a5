import type { Api } from '@sallyport/rest'
import { createNodeListener, listen } from '@sallyport/rest/node'
import { createNodeListener as createWebhookListener, type Webhooks } from '@sallyport/webhooks/node'

interface Address {
  readonly host: string
  readonly port: number
}

interface Parts {
  readonly api: Api
  readonly webhooks: Webhooks
}

/** Serves the webhooks at /webhooks and the API at /api. */
export const startServer = ({ api, webhooks }: Parts, address: Address) =>
  listen(
    createWebhookListener(webhooks.gateway, { otherwise: createNodeListener(api, { mount: '/api' }) }),
    address,
  )
