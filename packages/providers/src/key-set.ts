import type { Jwk } from '@sallyport/webhooks'
import { fetchDocument } from '@sallyport/webhooks/keys'

/** Fetches the public keys of a key set (JWKS). */
export async function fetchKeySet(url: string): Promise<readonly Jwk[]> {
  const text = await fetchDocument(url, { hosts: [new URL(url).hostname] })
  return (JSON.parse(text) as { readonly keys: readonly Jwk[] }).keys
}
