import type { Delivery, DeliveryHeaders } from '../ports/delivery.ts'
import type { AnyProvider } from '../provider/provider.ts'

/** A delivery as a service sends it, before it is signed. */
export interface ProviderSample {
  /** The kind of event that is in it. */
  readonly kind: string
  /** Headers that the service sends beside its signature, by lower-case name; a signed id of the delivery among them. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as a JSON value. */
  readonly body: unknown
}

/** Headers by lower-case name, in any form: also in those that an HTTP client would refuse to send. */
export function plainHeaders(headers: Readonly<Record<string, string>>): DeliveryHeaders {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    get: (name) => byName.get(name.toLowerCase()) ?? null,
    [Symbol.iterator]: () => byName.entries(),
  }
}

/** The headers, in lower case, that a scheme calls signed: they are content. */
export function signedNamesOf({ provider }: { readonly provider: AnyProvider }): readonly string[] {
  const { signedHeaders = [], signedIds = [] } = provider.signature
  return [...new Set([...signedHeaders, ...signedIds])]
}

/** A request with these headers and this body. */
export function deliveryOf(
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  url: string | undefined,
): Delivery {
  return { method: 'POST', headers: plainHeaders(headers), body, ...(url !== undefined && { url }) }
}

/** The headers but one. */
export function withoutHeader(
  headers: Readonly<Record<string, string>>,
  name: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name))
}
