import { prepareHmac } from '../crypto/crypto.ts'
import type { Handshake } from '../provider/provider.ts'
import { isSignable } from './signable.ts'

/**
 * The challenge-response check of X (Twitter): a GET whose `crc_token` is answered with its HMAC-SHA256 under the newest
 * secret, as `{ "response_token": "sha256=…" }`.
 *
 * X does not sign the request. A token is signed only when it is 1 to 128 letters, digits, `_` and `-` and not JSON: wrap the
 * scheme of deliveries in `refuseSignable`, so that such a text is not a verified body. Every answer counts as a failure of the
 * address.
 *
 * @example
 * ```ts
 * import { xHandshake } from '@sallyport/webhooks/handshakes'
 *
 * export const handshake = xHandshake()
 * ```
 *
 * @see https://docs.x.com/x-api/webhooks/quickstart
 */
export function xHandshake(): Handshake {
  return {
    methods: ['GET'],
    async answer({ query, secrets }) {
      const token = query.get('crc_token')
      const [secret] = secrets
      if (!isSignable(token) || !secret) return undefined
      const digest = await prepareHmac('sha256', 'base64', secret)([token])
      const body = JSON.stringify({ response_token: `sha256=${digest}` })
      return { contentType: 'application/json', body, signed: true }
    },
  }
}
