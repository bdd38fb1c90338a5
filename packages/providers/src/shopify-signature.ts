import { hmac, type DeliveryHeaders, type SignatureScheme } from '@sallyport/webhooks'

const eventHeader = 'shopify-hmac-sha256'

const createScheme = (header: string): SignatureScheme =>
  hmac({ algorithm: 'sha256', encoding: 'base64', header })

const webhooks = createScheme(`x-${eventHeader}`)
const events = createScheme(eventHeader)

/** Verifies the header of webhooks, or that of events, whose headers get the names of those of webhooks. */
export const shopifySignature: SignatureScheme = {
  ...webhooks,
  headers: [...webhooks.headers, ...events.headers],
  async verify(delivery, secrets, now) {
    if (delivery.headers.get(eventHeader) === null) return webhooks.verify(delivery, secrets, now)
    const result = await events.verify(delivery, secrets, now)
    return result.verified ? { ...result, headers: rename(delivery.headers) } : result
  },
}

const rename = (headers: DeliveryHeaders): DeliveryHeaders =>
  new Headers([...headers].map(([name, value]) => [name.startsWith('shopify-') ? `x-${name}` : name, value]))
