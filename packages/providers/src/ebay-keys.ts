import type { SignatureLocation } from '@sallyport/webhooks'
import { parseJson } from '@sallyport/webhooks'
import { createKeyLookup, fetchDocument } from '@sallyport/webhooks/keys'

/** Longer than the header of eBay. */
const maximumHeader = 2048
const keyId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

interface Fields {
  readonly kid?: unknown
  readonly signature?: unknown
}

/** Reads the base64 of `{"kid", "signature"}`; undefined for another text. */
function readHeader(text: string): { readonly kid: string; readonly signature: string } | undefined {
  try {
    if (text.length > maximumHeader || btoa(atob(text)) !== text) return undefined
    const { kid, signature } = Object(parseJson(new TextEncoder().encode(atob(text)))) as Fields
    const isRead = typeof kid === 'string' && keyId.test(kid) && typeof signature === 'string'
    return isRead ? { kid, signature } : undefined
  } catch {
    return undefined
  }
}

/** The header of eBay: base64 of JSON with the id of a public key and a signature. */
export const ebaySignature: SignatureLocation = {
  names: ['x-ebay-signature'],
  read({ headers }) {
    const value = headers.get('x-ebay-signature')
    if (value === null) return 'missing'
    const fields = readHeader(value)
    return fields ? { signatures: [fields.signature] } : 'malformed'
  },
  write: (signature) => ({
    'x-ebay-signature': btoa(
      JSON.stringify({
        alg: 'ecdsa',
        kid: '00000000-0000-4000-8000-000000000000',
        signature,
        digest: 'SHA1',
      }),
    ),
  }),
}

const hosts: Readonly<Record<string, string>> = {
  production: 'api.ebay.com',
  sandbox: 'api.sandbox.ebay.com',
}

const findKey = createKeyLookup({
  async load(source) {
    const { kid, secret } = JSON.parse(source) as { kid: string; secret: string }
    const [password = '', user = '', environment = 'production'] = secret.split(':').toReversed()
    const host = hosts[environment] ?? ''
    const read = async (path: string, init: NonNullable<Parameters<typeof fetchDocument>[1]['init']>) =>
      JSON.parse(await fetchDocument(`https://${host}${path}`, { hosts: [host], init })) as {
        readonly access_token?: string
        readonly key?: string
      }
    const { access_token: token = '' } = await read('/identity/v1/oauth2/token', {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${user}:${password}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `grant_type=client_credentials&scope=${encodeURIComponent('https://api.ebay.com/oauth/api_scope')}`,
    })
    const { key } = await read(`/commerce/notification/v1/public_key/${kid}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    // The PEM has no line breaks.
    return key?.replaceAll(/-----(?:BEGIN|END) PUBLIC KEY-----|\s/g, '')
  },
})

/**
 * Finds the public keys that a delivery of eBay names, in base64, with the credentials of an application.
 *
 * @param secrets `client_id:client_secret` for production, or `sandbox:client_id:client_secret`
 */
export async function findEbayKeys(
  secrets: readonly string[],
  headers: { get(name: string): string | null },
): Promise<readonly string[]> {
  const kid = readHeader(headers.get('x-ebay-signature') ?? '')?.kid
  if (kid === undefined) return []
  const found = await Promise.all(
    secrets.filter((secret) => secret !== '').map((secret) => findKey(JSON.stringify({ kid, secret }))),
  )
  return found.flatMap((key) => key ?? [])
}
