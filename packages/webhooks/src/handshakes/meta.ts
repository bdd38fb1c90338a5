import { equalText, sha256Hex } from '../crypto/crypto.ts'
import type { Handshake } from '../provider/provider.ts'
import { isSecret } from '../schemes/keys.ts'
import { echo } from './echo.ts'

export interface MetaHandshakeOptions {
  /**
   * The verify token from the configuration of the webhook, or several during a rotation. URLs and proxy logs contain the
   * token: do not use the app secret, which signs deliveries.
   */
  readonly verifyToken: string | readonly string[]
}

const encoder = new TextEncoder()

/**
 * The verification request of Facebook, Instagram and WhatsApp: a GET with `hub.mode=subscribe`, whose `hub.challenge` is
 * echoed when its `hub.verify_token` is the configured one, compared in constant time.
 *
 * @throws TypeError for an empty list, and for a verify token that is empty or not a string
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
    throw new TypeError('verifyToken must be text that is not empty')
  }

  /** Compares all hashes: the duration reveals neither a length nor the position in the list. */
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
