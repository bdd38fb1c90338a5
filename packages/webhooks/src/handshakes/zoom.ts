import { prepareHmac } from '../crypto/crypto.ts'
import type { Handshake, HandshakeRequest } from '../provider/provider.ts'
import { isSignable } from './signable.ts'
import { getMember, signedChallenge, getText } from './signed-challenge.ts'

/**
 * The `endpoint.url_validation` of Zoom: a signed POST whose `plainToken` is answered with its HMAC-SHA256 in
 * hexadecimal, as `{ "plainToken", "encryptedToken" }`, with the secret that signed the request.
 *
 * A token is signed only when it is 1 to 128 letters, digits, `_` and `-` and not JSON. Every answer counts as a failure of
 * the address.
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
      if (getText(payload, 'event') !== 'endpoint.url_validation') return undefined
      const plainToken = getText(getMember(payload, 'payload'), 'plainToken')
      if (!isSignable(plainToken)) return undefined
      const secret = await findSecret(request)
      if (secret === undefined) return undefined
      const encryptedToken = await prepareHmac('sha256', 'hex', secret)([plainToken])
      const body = JSON.stringify({ plainToken, encryptedToken })
      return { contentType: 'application/json', body, signed: true }
    },
  })
}

/** During a rotation, the service may still use the old secret. */
async function findSecret({ secrets, verify }: HandshakeRequest): Promise<string | undefined> {
  for (const secret of secrets) if (secret !== '' && (await verify([secret]))) return secret
  return undefined
}
