import { equalText, sha256Hex } from '../crypto/crypto.ts'
import type { Handshake } from '../provider/provider.ts'
import { isSecret } from '../schemes/keys.ts'
import { echo } from './echo.ts'

export interface MetaHandshakeOptions {
  /**
   * The verify token that the webhook is set up with; several while it is changed. It stands in addresses, and so in the
   * logs of whatever they pass: it is not the app secret, which signs deliveries.
   */
  readonly verifyToken: string | readonly string[]
}

const encoder = new TextEncoder()

/**
 * The verification request of Facebook, Instagram and WhatsApp: a GET with `hub.mode=subscribe`, whose `hub.challenge` is
 * echoed when its `hub.verify_token` is the configured one, compared in constant time.
 *
 * @throws TypeError when there is no verify token, or one is empty or no text
 *
 * @example
 * ```ts
 * import { metaHandshake } from '@sallyport/webhooks/handshakes'
 *
 * declare const verifyToken: string
 * export const handshake = metaHandshake({ verifyToken })
 * ```
 *
 * @see https://developers.facebook.com/docs/graph-api/webhooks/getting-started
 */
export function metaHandshake(options: MetaHandshakeOptions): Handshake {
  const tokens = [options.verifyToken].flat()
  if (tokens.length === 0 || !tokens.every(isSecret)) {
    throw new TypeError(
      'verifyToken must be text that is not empty: without one, anybody could answer for it',
    )
  }

  /** Hashes are compared, all of them: neither a length nor the place in the list shows in the time that it takes. */
  async function isExpected(presented: string): Promise<boolean> {
    const own = await sha256Hex(encoder.encode(presented))
    let matches = 0
    for (const token of tokens) matches += Number(equalText(own, await sha256Hex(encoder.encode(token))))
    return matches > 0
  }

  return {
    methods: ['GET'],
    async answer({ query }) {
      const presented = query.get('hub.verify_token')
      if (query.get('hub.mode') !== 'subscribe' || presented === null) return undefined
      return (await isExpected(presented)) ? echo(query.get('hub.challenge')) : undefined
    },
  }
}
