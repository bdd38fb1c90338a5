import { hashText } from '../crypto/crypto.ts'
import type { Handshake } from '../provider/provider.ts'
import { isPlain } from './echo.ts'

export interface EbayHandshakeOptions {
  /** The verification token from the configuration of the endpoint: 32 to 80 letters, digits, `_` and `-`. */
  readonly verificationToken: string
  /** The address of the endpoint, as the configuration of eBay has it. */
  readonly endpoint: string
}

/**
 * The validation of an eBay endpoint: a GET whose `challenge_code` is answered with the SHA-256 of the code, the verification token
 * and the endpoint, as `{ "challengeResponse" }`. The verification token signs no deliveries.
 *
 * @throws TypeError for a malformed verification token and an endpoint without `https:`
 *
 * @example
 * ```ts
 * import { ebayHandshake } from '@sallyport/webhooks/handshakes'
 *
 * declare const verificationToken: string
 * export const handshake = ebayHandshake({ verificationToken, endpoint: 'https://hooks.example/webhooks/ebay' })
 * ```
 *
 * @see https://developer.ebay.com/marketplace-account-deletion
 */
export function ebayHandshake({ verificationToken, endpoint }: EbayHandshakeOptions): Handshake {
  if (!/^[\w-]{32,80}$/.test(verificationToken))
    throw new TypeError('verificationToken must have 32 to 80 characters')
  if (!endpoint.startsWith('https://')) throw new TypeError('endpoint must be an https: URL')
  return {
    methods: ['GET'],
    async answer({ query }) {
      const code = query.get('challenge_code')
      if (!isPlain(code)) return undefined
      const challengeResponse = await hashText('sha256', 'hex', [code, verificationToken, endpoint])
      return { contentType: 'application/json', body: JSON.stringify({ challengeResponse }) }
    },
  }
}
