import { hmacOf } from '../crypto/crypto.ts'
import type { Handshake, HandshakeRequest } from '../provider/provider.ts'
import { isSignable } from './signable.ts'
import { memberOf, signedChallenge, textIn } from './signed-challenge.ts'

/**
 * The `endpoint.url_validation` of Zoom: a signed POST whose `plainToken` is answered with its HMAC-SHA256 in
 * hexadecimal, as `{ "plainToken", "encryptedToken" }`, under the secret that the question was signed with.
 *
 * A token is signed only when it is 1 to 128 letters, digits, `_` and `-` and no JSON; every answer counts as a failure
 * of the address.
 *
 * @example
 * ```ts
 * import { zoomHandshake } from '@sallyport/webhooks/handshakes'
 *
 * export const handshake = zoomHandshake()
 * ```
 *
 * @see https://developers.zoom.us/docs/api/webhooks/#validate-your-webhook-endpoint
 */
export function zoomHandshake(): Handshake {
  return signedChallenge({
    mark: '"endpoint.url_validation"',
    async answer(payload, request) {
      if (textIn(payload, 'event') !== 'endpoint.url_validation') return undefined
      const plainToken = textIn(memberOf(payload, 'payload'), 'plainToken')
      if (!isSignable(plainToken)) return undefined
      const secret = await secretOf(request)
      if (secret === undefined) return undefined
      const encryptedToken = await hmacOf('sha256', 'hex', secret)([plainToken])
      const body = JSON.stringify({ plainToken, encryptedToken })
      return { contentType: 'application/json', body, signed: true }
    },
  })
}

/** While a secret is changed, the service may still use the old one. */
async function secretOf({ secrets, verify }: HandshakeRequest): Promise<string | undefined> {
  for (const secret of secrets) if (secret !== '' && (await verify([secret]))) return secret
  return undefined
}
