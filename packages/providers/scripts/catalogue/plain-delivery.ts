import type { Delivery, DeliveryHeaders } from '@sallyport/webhooks'

/** Creates the headers and the bytes of a request. A host would refuse some values. */
export function plainDelivery(request: {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}): Pick<Delivery, 'headers' | 'body'> {
  const values = new Map(Object.entries(request.headers))
  const headers: DeliveryHeaders = {
    get: (name) => values.get(name.toLowerCase()) ?? null,
    [Symbol.iterator]: () => values.entries(),
  }
  return { headers, body: new TextEncoder().encode(request.body) }
}
