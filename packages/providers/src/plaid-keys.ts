import type { Jwk } from '@sallyport/webhooks'
import { createKeyLookup, fetchDocument } from '@sallyport/webhooks/keys'

const hosts: Readonly<Record<string, string>> = {
  production: 'production.plaid.com',
  sandbox: 'sandbox.plaid.com',
}

interface KeyResponse {
  readonly key: Jwk & { readonly expired_at?: number | null }
}

const findKey = createKeyLookup({
  async load(source) {
    const { kid, secret } = JSON.parse(source) as { kid: string; secret: string }
    const [key = '', client = '', environment = 'production'] = secret.split(':').toReversed()
    const host = hosts[environment] ?? ''
    const text = await fetchDocument(`https://${host}/webhook_verification_key/get`, {
      hosts: [host],
      init: {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_id: client, secret: key, key_id: kid }),
      },
    })
    return (JSON.parse(text) as KeyResponse).key
  },
})

/**
 * Finds a public key of Plaid with the credentials of a client. Returns undefined for an expired key.
 *
 * @param secrets `client_id:secret` for production, or `sandbox:client_id:secret`
 * @throws AggregateError for a key that no client can read
 */
export async function findPlaidKey(
  kid: string | undefined,
  secrets: readonly string[],
): Promise<Jwk | undefined> {
  const clients = secrets.filter((secret) => secret !== '')
  if (kid === undefined || clients.length === 0) return undefined
  const key = await Promise.any(clients.map(async (secret) => findKey(JSON.stringify({ kid, secret }))))
  return (key?.expired_at ?? null) === null ? key : undefined
}
