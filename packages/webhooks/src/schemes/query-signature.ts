import { providerUnavailable } from '../ports/refusals.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { matchesAny } from './credentials.ts'
import { createRandomSecret, isSecret, requireSecret } from './keys.ts'
import { refusal } from './proof.ts'
import type { SignatureLocation } from './signature-header.ts'

/** Reads the only value of a parameter. */
function readParameter({ url }: Delivery, name: string): ReturnType<SignatureLocation['read']> {
  if (url === undefined)
    throw providerUnavailable(
      'This provider reads the query of the public URL: set PUBLIC_URL, or the option publicUrl',
    )
  const values = new URL(url).searchParams.getAll(name)
  const [value = ''] = values
  if (values.length > 1) return 'malformed'
  return value === '' ? 'missing' : { signatures: [value] }
}

function writeParameter(url: string | undefined, name: string, value: string): string {
  if (url === undefined) throw new TypeError('The delivery needs a url')
  const signed = new URL(url)
  signed.searchParams.set(name, value)
  return signed.href
}

/**
 * A signature in a parameter of the query. A delivery with several values is malformed.
 *
 * @example
 * ```ts
 * import { hmac, querySignature } from '@sallyport/webhooks'
 *
 * const signature = hmac({ algorithm: 'sha256', encoding: 'hex', header: querySignature('signature') })
 * ```
 */
export function querySignature(name: string): SignatureLocation {
  return {
    names: [],
    parameters: [name],
    read: (delivery) => readParameter(delivery, name),
    write: () => ({}),
    writeUrl: (url, signature) => writeParameter(url, name, signature),
  }
}

/**
 * A parameter of the query with the secret, for a service that only posts to an address. The scheme authenticates the sender,
 * not the body. Logs of proxies contain addresses: keep the secret for this address only.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) without a public URL
 * @throws TypeError from `signUrl` for an empty secret and a delivery without a URL
 *
 * @example
 * ```ts
 * import { queryToken } from '@sallyport/webhooks'
 *
 * const dockerHub = queryToken('token') // https://hooks.example/webhooks/docker-hub?token=…
 * ```
 */
export function queryToken(name: string): SignatureScheme {
  return {
    headers: [],
    parameters: [name],
    covers: [],
    description: { scheme: 'query-token', options: { name } },
    async verify(delivery, secrets) {
      const presented = readParameter(delivery, name)
      if (typeof presented === 'string') return refusal(presented)
      const isMatch = await matchesAny(presented.signatures.join(), secrets.filter(isSecret))
      return isMatch ? { verified: true, body: delivery.body } : refusal('mismatch')
    },
    createSecret: () => createRandomSecret(),
    sign: () => ({}),
    signUrl({ url }, secret) {
      requireSecret(secret)
      return writeParameter(url, name, secret)
    },
  }
}
