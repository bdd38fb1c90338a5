import { decodeText, type DigestEncoding } from '../crypto/text.ts'
import { providerUnavailable } from '../gateway/refusals.ts'

/**
 * Decodes the key bytes of a secret in standard base64, with an optional prefix.
 *
 * @param prefix the optional prefix of a secret; @default ''
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) from the scheme, when a secret is not canonical, padded base64
 *
 * @example
 * ```ts
 * import { base64Secret, hmac } from '@sallyport/webhooks'
 *
 * const signature = hmac({
 *   algorithm: 'sha256',
 *   encoding: 'base64',
 *   header: 'x-signature',
 *   key: base64Secret('whsec_'),
 * })
 * ```
 */
export function base64Secret(prefix = ''): (secret: string) => Uint8Array {
  return (secret) => decodedSecret('base64', prefix, secret)
}

/**
 * Decodes the key bytes of a secret in hexadecimal. Letters can have either case.
 *
 * @param prefix the optional prefix of a secret; @default ''
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) from the scheme, when a secret is not hexadecimal
 */
export function hexSecret(prefix = ''): (secret: string) => Uint8Array {
  return (secret) => decodedSecret('hex', prefix, secret)
}

function decodedSecret(encoding: DigestEncoding, prefix: string, secret: string): Uint8Array {
  const rest = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const bytes = decodeText(encoding, encoding === 'hex' ? rest.toLowerCase() : rest)
  if (bytes === undefined || bytes.every((byte) => byte === 0)) {
    const afterPrefix = prefix === '' ? '' : ` after "${prefix}"`
    throw providerUnavailable(
      `A secret of this provider is not ${encoding}${afterPrefix}: configure the secret as the service shows it`,
    )
  }
  return bytes
}
